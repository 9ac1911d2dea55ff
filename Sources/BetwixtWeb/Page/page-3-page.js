// The page: the devices, what is between them, and files.

class Page {
  constructor(engine) {
    this.engine = engine;
    this.devices = [];
    this.wires = new Set();
    this.wireBytes = 0;
    this.lostCount = 0;
    for (const id of ["devices", "state", "log", "live", "trip", "count", "delay", "loss", "files", "share", "keep",
      "forget"]) {
      this[`${id}Element`] = document.getElementById(id);
    }
    const how = make("p", "unseen", "Space lifts the stop, arrow keys move it, space drops it, escape puts it back. "
      + "F2 edits its title, Delete removes it.");
    how.id = "how";
    document.body.append(how);
    for (const [index, trip] of sampleTrips.entries()) {
      const option = make("option", "", trip.name.replace(".json", "").replaceAll("-", " "));
      option.value = index;
      this.tripElement.append(option);
    }
    this.tripElement.onchange = () => this.openTrip();
    this.countElement.onchange = () => this.start(this.joined());
    this.filesElement.onchange = () => this.openFiles([...this.filesElement.files]);
    this.shareElement.onchange = () => this.shareOrNot();
    this.keepElement.onchange = () => this.keepOrNot();
    this.forgetElement.onclick = () => this.forget();
    this.forgetElement.onblur = () => this.offerToForget();
    for (const [element, unit] of [[this.delayElement, "ms"], [this.lossElement, "%"]]) {
      const words = document.getElementById(`${element.id}-words`);
      element.oninput = () => (words.textContent = `${element.value} ${unit}`);
      element.oninput();
    }
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      this.openFiles([...event.dataTransfer.files]);
    });
    addEventListener("error", ({ error }) => this.noticeStop(error));
    addEventListener("unhandledrejection", ({ reason }) => this.noticeStop(reason));
    this.openSample();
    this.listKept();
  }

  get delay() {
    return Number(this.delayElement.value);
  }

  get loss() {
    return Number(this.lossElement.value);
  }

  // MARK: Devices

  openSample() {
    const { name, text } = sampleTrips[Number(this.tripElement.value)];
    const bytes = new TextEncoder().encode(JSON.stringify(text));
    const list = this.engine.openFile(name, bytes);
    this.start(list.save());
    list.close();
  }

  /** What all devices hold together, those without a connection too. */
  joined() {
    const [{ list }, ...others] = this.devices;
    for (const other of others) list.merge(other.list.save());
    return list.save();
  }

  /** Starts with copies of one list, a replica each. */
  start(bytes) {
    for (const wire of [...this.wires]) wire.cut();
    for (const device of this.devices) device.close();
    this.wireBytes = 0;
    this.lostCount = 0;
    const names = ["Phone", "Tablet", "Laptop", "Desktop"].slice(0, Number(this.countElement.value));
    this.devices = [];
    for (const name of names) this.devices.push(new Device(this, name, this.engine.read(bytes)));
    this.shareOrNot();
    this.keepOrNot();
    this.connect();
    this.showState();
    this.offerToForget();
  }

  /** Every two devices that are online are connected. */
  connect() {
    if (this.engine.isBroken) return;
    for (const wire of [...this.wires]) {
      const isThere = [wire.left, wire.right].every((device) =>
        device.isOnline && this.devices.includes(device));
      if (!isThere) wire.cut();
    }
    for (const [index, left] of this.devices.entries()) {
      for (const right of this.devices.slice(index + 1)) {
        const isWired = [...this.wires].some((wire) => wire.left === left && wire.right === right);
        if (left.isOnline && right.isOnline && !isWired) this.wires.add(new Wire(this, left, right));
      }
    }
    this.showState();
  }

  /** How long to wait after a connection ended that was there for some time. */
  pause(duration) {
    this.lastPause = duration < longPause ? Math.min(2 * this.lastPause || shortPause, longPause) : shortPause;
    return this.lastPause;
  }

  // MARK: Words

  /** Where the engine has stopped nothing that was said of the lists holds any more. */
  noticeStop(error) {
    if (error?.code !== "engine" || this.isStopped) return;
    this.isStopped = true;
    this.stateElement.className = "other";
    this.stateElement.textContent = "The engine of this page has stopped: load the page anew. "
      + "What was kept on this machine is there again then.";
    this.announce(this.stateElement.textContent);
  }

  showState() {
    cancelAnimationFrame(this.showing);
    this.showing = requestAnimationFrame(() => {
      if (this.isStopped) return;
      const digests = this.devices.map((device) => device.list.digest);
      const areSame = digests.every((digest) => digest === digests[0]);
      this.stateElement.className = areSame ? "same" : "other";
      this.stateElement.textContent = areSame
        ? "All devices hold the same list." : "The devices differ.";
      for (const [index, device] of this.devices.entries()) {
        device.digest.textContent = `digest ${digests[index].slice(0, 8)}`;
        device.digest.title = digests[index];
        device.wire.textContent = `${this.wireBytes.toLocaleString("en")} bytes on the wire`
          + (this.lostCount ? `, ${this.lostCount} cuts` : "");
      }
    });
  }

  merged(device) {
    const others = this.devices.filter((other) => other !== device).map((other) => other.name);
    const lines = device.list.losses(device.name, others.join(" or ")).map((line) => `${device.name}: ${line}`);
    for (const line of lines) this.say(line);
    if (lines.length > 0) this.announce(lines.join(" "));
  }

  say(words) {
    this.logElement.querySelector(".quiet")?.remove();
    this.logElement.prepend(make("li", "", words));
    while (this.logElement.children.length > 200) this.logElement.lastChild.remove();
  }

  fail(words, error) {
    this.tell(words);
    this.noticeStop(error);
  }

  /** Says what is not to be overlooked. */
  tell(words) {
    this.say(words);
    this.announce(words);
  }

  announce(words) {
    this.liveElement.textContent = "";
    setTimeout(() => (this.liveElement.textContent = words), 20);
  }

  // MARK: Files

  async openFiles(files) {
    if (files.length === 0) return;
    try {
      const contents = await Promise.all(files.map(async (file) => ({
        name: file.name, bytes: await this.bytes(file),
      })));
      const list = contents.length === 1
        ? this.engine.openFile(contents[0].name, contents[0].bytes) : this.engine.joinFiles(contents);
      const { report } = list;
      const isTrip = list.metadata.type !== "tasks";
      if (isTrip) this.start(list.save());
      list.close();
      if (!isTrip) throw new Error(`${files[0].name}: this is a list of tasks, and the page shows trips alone`);
      for (const line of report) this.say(line);
    } catch (error) {
      this.fail(error.message, error);
    }
    this.filesElement.value = "";
  }

  /** What is in a file; a folder that was dropped is one that cannot be read. */
  async bytes(file) {
    try {
      return new Uint8Array(await file.arrayBuffer());
    } catch (error) {
      throw new Error(`${file.name}: ${error.message}`);
    }
  }

  download(device, ending) {
    if (!ending) return;
    try {
      const { bytes, omissions } = device.list.export(ending);
      if (omissions) this.say(omissions);
      const link = make("a");
      link.href = URL.createObjectURL(new Blob([bytes]));
      // A file without a name would be one that is hidden.
      link.download = `${device.list.rows.name.trim() || "Trip"}.${ending}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch (error) {
      this.fail(error.message, error);
    }
  }

  // MARK: Other tabs, and the drive

  shareOrNot() {
    const { list } = this.devices[0];
    if (this.shareElement.checked) {
      if (list.links.size === 0) list.share("page");
    } else {
      for (const link of [...list.links]) link.close();
    }
  }

  /** Each device keeps its own copy, so that nothing is lost of what one wrote without a connection. */
  async keepOrNot() {
    const isKept = this.keepElement.checked;
    const onError = (error) => this.fail(`This browser keeps nothing here: ${error.message}`, error);
    try {
      await Promise.all(this.devices.map(async ({ list, name }, index) => {
        if (!isKept) return list.storage?.close();
        const part = index === 0 ? "" : ` ${name}`;
        if (!list.storage) await list.keep(`page ${list.id}${part}`, { onError });
      }));
      if (isKept) await this.listKept();
    } catch (error) {
      this.keepElement.checked = false;
      onError(error);
    }
  }

  /** What was kept stands among the trips. */
  async listKept() {
    // Where nothing can be kept nothing was.
    const names = await this.engine.keptNames().catch(() => []);
    const ids = names.map((name) => /^page (\w+)$/.exec(name)?.[1]).filter(Boolean);
    for (const id of ids) {
      try {
        const list = await this.readKept(id);
        const words = `${list.rows.name || "Trip"} (kept here)`;
        list.close();
        let option = this.keptOption(id);
        if (!option) {
          option = make("option");
          option.value = id;
          this.tripElement.append(option);
        }
        option.textContent = words;
      } catch (error) {
        this.fail(`What was kept as ${id} cannot be read: ${error.message}`, error);
      }
    }
    this.offerToForget(this.isAskedToForget);
  }

  /** Among the trips, one that was kept. */
  keptOption(id) {
    return [...this.tripElement.options].find(({ value }) => value === id);
  }

  /** Under which names the devices have kept a trip. */
  async namesOf(id) {
    return (await this.engine.keptNames()).filter((name) => `${name} `.startsWith(`page ${id} `));
  }

  offerToForget(isAsked = false) {
    this.isAskedToForget = isAsked;
    this.forgetElement.textContent = isAsked ? "Press again: it is gone for good then" : "Forget it on this machine";
    this.forgetElement.hidden = !this.keptOption(this.devices[0]?.list.id);
  }

  /** Deletes what is kept of the trip that is shown, once that was asked for twice. */
  async forget() {
    if (!this.isAskedToForget) {
      this.offerToForget(true);
      return this.announce(this.forgetElement.textContent);
    }
    const { id, rows } = this.devices[0].list;
    try {
      this.keepElement.checked = false;
      await this.keepOrNot();
      for (const name of await this.namesOf(id)) await this.engine.forget(name);
      this.keptOption(id)?.remove();
      if (!sampleTrips[this.tripElement.value]) this.tripElement.selectedIndex = 0;
      this.openSample();
      this.tripElement.focus();
      this.tell(`“${rows.name || "Trip"}” is kept on this machine no more.`);
    } catch (error) {
      this.fail(error.message, error);
    }
  }

  /** What all devices have kept of a trip, as one. */
  async readKept(id) {
    const names = await this.namesOf(id);
    const parts = (await Promise.all(names.map((name) => this.engine.keptBytes(name)))).flat();
    const list = this.engine.read(parts[0]);
    for (const part of parts.slice(1)) list.merge(part);
    return list;
  }

  async openTrip() {
    const { value } = this.tripElement;
    if (sampleTrips[value]) return this.openSample();
    try {
      const list = await this.readKept(value);
      if (this.tripElement.value === value) {
        this.keepElement.checked = true;
        this.start(list.save());
      }
      list.close();
    } catch (error) {
      this.fail(error.message, error);
    }
  }
}

Betwixt.load().then(
  (engine) => (globalThis.page = new Page(engine)),
  (error) => (document.getElementById("state").textContent = error.message));
