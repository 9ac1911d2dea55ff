// A device of the page: a copy of the list, and a front end of BetwixtDrag for it. The engine says
// what is to be seen; this file does it (“Writing a front end” in the documentation of BetwixtDrag).

const make = (tag, className, words) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (words !== undefined) element.textContent = words;
  return element;
};

const keyNames = {
  " ": "space", Enter: "enter", ArrowUp: "up", ArrowDown: "down", PageUp: "pageUp",
  PageDown: "pageDown", Home: "home", End: "end", Escape: "escape", Tab: "tab",
};

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** A spring as a curve of CSS: where it stands at each part of its time. */
function easing(curve) {
  if (curve === "easeInOut") return "ease-in-out";
  const damping = Math.min(0.99, curve.damping);
  const speed = 7 / damping;
  const turned = speed * Math.sqrt(1 - damping ** 2);
  const places = Array.from({ length: 21 }, (_, step) => {
    const time = step / 20;
    const wave = Math.cos(turned * time) + (damping * speed / turned) * Math.sin(turned * time);
    return (1 - Math.exp(-damping * speed * time) * wave).toFixed(3);
  });
  places[20] = 1;
  return `linear(${places.join(",")})`;
}

class Device {
  constructor(page, name, list) {
    Object.assign(this, { page, name, list, isOnline: true, timers: {}, rowElements: new Map() });
    this.isBusy = false;
    this.isStale = false;
    this.pointer = null;
    this.ending = new AbortController();
    this.build();
    this.listen();
    list.subscribe((changes) => this.changed(changes));
    this.chooseMotion();
    this.refresh();
  }

  // MARK: What there is

  build() {
    this.element = make("section", "device");
    const bar = make("div", "bar");
    const title = make("h2", "", this.name);
    title.id = `title-${this.name}`;
    this.element.setAttribute("aria-labelledby", title.id);
    this.undoButton = make("button", "undo", "Undo");
    this.undoButton.type = "button";
    this.onlineSwitch = make("input");
    this.onlineSwitch.type = "checkbox";
    this.onlineSwitch.checked = true;
    this.onlineSwitch.setAttribute("role", "switch");
    const label = make("label", "", "Online");
    label.prepend(this.onlineSwitch);
    this.addButton = make("button", "add", "Add");
    this.addButton.type = "button";
    this.saveMenu = make("select", "save");
    this.saveMenu.setAttribute("aria-label", `Save the trip of ${this.name}`);
    const formats = [["", "Save…"], ["trip", ".trip"], ["json", "JSON"], ["trip.json", "JSON with history"],
      ["ics", "Calendar"], ["csv", "CSV"], ["md", "Markdown"], ["gpx", "GPX"]];
    for (const [value, words] of formats) {
      const option = make("option", "", words);
      option.value = value;
      this.saveMenu.append(option);
    }
    bar.append(title, this.addButton, this.undoButton, this.saveMenu, label);
    this.frame = make("div", "frame");
    this.rows = make("ol", "rows");
    this.rows.setAttribute("aria-label", `Trip on ${this.name}`);
    this.line = make("div", "line");
    this.rows.append(this.line);
    this.toast = make("div", "toast");
    this.toast.hidden = true;
    this.toastWords = make("span");
    this.toastButton = make("button", "", "Undo");
    this.toastButton.type = "button";
    this.toast.append(this.toastWords, this.toastButton);
    this.frame.append(this.rows);
    const foot = make("div", "foot");
    this.digest = make("code");
    this.wire = make("span");
    foot.append(this.digest, this.wire);
    this.element.append(bar, this.frame, this.toast, foot);
    this.page.devicesElement.append(this.element);
  }

  listen() {
    const { rows } = this;
    rows.addEventListener("pointerdown", (event) => this.pressed(event));
    rows.addEventListener("pointermove", (event) => this.moved(event));
    rows.addEventListener("pointerup", (event) => this.released(event));
    for (const name of ["pointercancel", "lostpointercapture"]) {
      rows.addEventListener(name, (event) => {
        if (event.pointerId === this.pointer) this.cancel("system");
      });
    }
    // Whether a touch scrolls is settled at its start; a row that was lifted later holds it here.
    rows.addEventListener("touchmove", (event) => this.dragged && event.preventDefault(), { passive: false });
    rows.addEventListener("contextmenu", (event) => this.pointer !== null && event.preventDefault());
    rows.addEventListener("keydown", (event) => this.keyed(event));
    // Some browsers press the button at the end of a key of which nothing was to come.
    rows.addEventListener("keyup", (event) => event.key === " " && event.target.closest(".handle") && event.preventDefault());
    rows.addEventListener("click", (event) => this.clicked(event));
    this.last = { element: this.addButton, place: -1 };
    rows.addEventListener("focusin", (event) => event.target.closest("li") && (this.last = this.held()));
    rows.addEventListener("focusout", (event) => {
      const stays = rows.contains(event.relatedTarget) || this.isBusy || !event.relatedTarget;
      if (this.dragged && this.pointer === null && !stays) this.cancel("focusLost");
    });
    rows.addEventListener("dblclick", (event) => {
      const id = event.target.closest(".item")?.dataset.row;
      if (id) this.tell({ event: "edit", phase: "begin", item: id });
    });
    rows.addEventListener("scroll", () => this.tell({ event: "scrolled", offset: rows.scrollTop }));
    const { signal } = this.ending;
    addEventListener("blur", () => this.dragged && this.cancel("focusLost"), { signal });
    document.addEventListener(
      "visibilitychange", () => document.hidden && this.cancel("background"), { signal });
    addEventListener("resize", () => this.refresh(), { signal });
    stillness.addEventListener("change", () => this.chooseMotion(), { signal });
    this.undoButton.onclick = () => this.tell({ event: "undo", at: this.now });
    this.addButton.onclick = () => this.tell({ event: "edit", phase: "add", below: this.firstRow });
    this.toastButton.onclick = () => this.perform(() => this.list.pressToast());
    this.onlineSwitch.onchange = () => {
      this.isOnline = this.onlineSwitch.checked;
      this.element.classList.toggle("offline", !this.isOnline);
      this.page.connect();
    };
    this.saveMenu.onchange = () => {
      this.page.download(this, this.saveMenu.value);
      this.saveMenu.value = "";
    };
  }

  /** The device is switched off for ever. */
  close() {
    this.ending.abort();
    cancelAnimationFrame(this.ticking);
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    this.isClosed = true;
    this.list.close().catch((error) => this.page.fail(error.message, error));
    this.element.remove();
  }

  get now() {
    return this.list.engine.now();
  }

  get firstRow() {
    const element = this.rows.querySelector("li");
    return element ? this.ref(element) : null;
  }

  ref(element) {
    return element.dataset.day ? Number(element.dataset.day) : element.dataset.row;
  }

  // MARK: Telling

  tell(event) {
    if (this.isClosed || this.page.isStopped) return;
    // Whoever asks for it first takes the news of a change from all others.
    if (this.isStill !== stillness.matches) this.chooseMotion();
    this.perform(() => this.list.event(event));
  }

  chooseMotion() {
    this.isStill = stillness.matches;
    this.perform(() => this.list.startDrags({ reduceMotion: this.isStill }));
  }

  point(event) {
    const box = this.rows.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  pressed(event) {
    const row = event.target.closest("li");
    if (!row || event.button !== 0 || this.pointer !== null || event.target.closest(".field")) return;
    const isHandle = event.target.closest(".handle") !== null;
    this.pointer = event.pointerId;
    this.rows.setPointerCapture(event.pointerId);
    const input = ["touch", "pen"].includes(event.pointerType) ? event.pointerType : "mouse";
    // A handle has no other use, so a finger on it need not wait.
    const name = isHandle && input !== "mouse" ? "lift" : "press";
    this.tell({ event: name, row: this.ref(row), input, point: this.point(event), at: this.now });
  }

  moved(event) {
    if (event.pointerId !== this.pointer) return;
    this.tell({ event: "moved", point: this.point(event), at: this.now });
  }

  released(event) {
    if (event.pointerId !== this.pointer) return;
    this.pointer = null;
    this.tell({ event: "released", point: this.point(event), at: this.now });
  }

  /** A click without a pointer, as a screen reader presses a handle: it lifts, and the next one drops. */
  clicked(event) {
    const handle = event.target.closest(".handle");
    if (!handle || event.detail !== 0) return;
    handle.focus({ preventScroll: true });
    this.tell({ event: "key", key: "space", row: this.ref(handle.closest("li")), at: this.now });
  }

  cancel(reason) {
    this.pointer = null;
    this.asEnd(() => this.tell({ event: "cancelled", reason, at: this.now }));
  }

  keyed(event) {
    if (event.target.closest(".field")) return;
    const element = event.target.closest("li");
    const key = keyNames[event.key];
    // With the shift key, or caps lock, it is another letter.
    const letter = event.ctrlKey || event.metaKey ? event.key.toLowerCase() : "";
    if (letter === "z" || letter === "y") {
      event.preventDefault();
      return this.tell({ event: event.shiftKey || letter === "y" ? "redo" : "undo", at: this.now });
    }
    if (!this.dragged && element) {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (step) {
        event.preventDefault();
        return this.step(element, step);
      }
      const item = element.dataset.row;
      if (event.key === "F2") return this.tell({ event: "edit", phase: "begin", item });
      if (["Delete", "Backspace"].includes(event.key)) return this.tell({ event: "delete", item });
      if (event.key === "Tab") return;
    }
    if (!key) return;
    event.preventDefault();
    this.tell({ event: "key", key, row: element ? this.ref(element) : null, at: this.now });
  }

  /** The focus goes to the next row that has one. */
  step(element, step) {
    const { handles } = this;
    const place = handles.indexOf(element.querySelector("[data-focus]"));
    handles[place + step]?.focus();
  }

  get handles() {
    return [...this.rows.querySelectorAll("[data-focus]")];
  }

  /** What has the focus: an element, or a row and the place of its handle among all. */
  held() {
    const element = document.activeElement;
    const row = this.rows.contains(element) && element.closest("li");
    return row ? { element: row, place: this.handles.indexOf(element) } : { element, place: -1 };
  }

  /** The focus goes back to an element, or to a row or what has taken its place. */
  giveBack({ element, place }) {
    if (place < 0) return element.focus();
    const { handles } = this;
    const handle = element.isConnected ? this.handle(element) : handles[Math.min(place, handles.length - 1)];
    (handle ?? this.addButton).focus({ preventScroll: true });
  }

  /** The handle of a row, or of the nearest one that has any. */
  handle(element) {
    for (let above = element, below = element; above || below;) {
      const handle = [below, above].map((row) => row?.querySelector("[data-focus]")).find(Boolean);
      if (handle) return handle;
      above = above?.previousElementSibling;
      below = below?.nextElementSibling;
    }
    return null;
  }

  // MARK: Showing

  changed(changes) {
    if (changes) this.page.merged(this);
    this.page.showState();
    if (this.isBusy) {
      this.isStale = true;
    } else {
      this.refresh(changes);
    }
  }

  /** Lays out the rows anew and tells how they lie. */
  refresh(changes) {
    if (this.isClosed) return;
    const before = new Map();
    for (const [ref, element] of this.rowElements) before.set(ref, element.offsetTop);
    this.render(this.list.rows.rows);
    if (changes) this.showNews(changes, before);
    const rows = [...this.rows.querySelectorAll("li")].map((element) =>
      [this.ref(element), element.offsetTop, element.offsetTop + element.offsetHeight]);
    this.tell({
      event: "layout", container: null, rows, width: this.rows.clientWidth,
      viewportHeight: this.rows.clientHeight, offset: this.rows.scrollTop,
      contentHeight: rows.length > 0 ? rows.at(-1)[2] : 0, tabStrip: null,
    });
    // A button that is disabled loses the focus.
    this.undoButton.setAttribute("aria-disabled", !this.list.canUndo);
  }

  render(rows) {
    const focus = this.held();
    const gone = new Set(this.rowElements.keys());
    for (const row of rows) gone.delete(row.id ?? row.day);
    for (const ref of gone) {
      this.rowElements.get(ref).remove();
      this.rowElements.delete(ref);
    }
    let cursor = this.rows.querySelector("li");
    for (const row of rows) {
      const ref = row.id ?? row.day;
      let element = this.rowElements.get(ref);
      if (!element) {
        element = make("li");
        this.rowElements.set(ref, element);
      }
      this.fill(element, row);
      if (element === cursor) {
        cursor = cursor.nextElementSibling;
      } else {
        this.rows.insertBefore(element, cursor);
      }
    }
    // Rows that are made anew, put elsewhere or removed lose the focus.
    if (focus.place >= 0 && !this.rows.contains(document.activeElement)) this.giveBack(focus);
  }

  fill(element, row) {
    const known = JSON.stringify(row);
    if (element.known === known) return;
    element.known = known;
    if (row.day !== undefined) {
      element.className = "day";
      element.dataset.day = row.day;
      const date = row.date && new Date(`${row.date}T12:00:00Z`).toLocaleDateString(
        "en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
      element.textContent = `Day ${row.day}${date ? ` · ${date}` : ""}`;
      return;
    }
    element.className = `item ${row.kind}`;
    element.dataset.row = row.id;
    const words = make("span", "title", row.title);
    if (row.place) words.append(make("span", "place", row.place));
    if (row.storedOn) words.append(make("span", "place", `stored on day ${row.storedOn}, which the trip does not have`));
    let handle = make("span", "pin", "●");
    handle.setAttribute("aria-hidden", "true");
    if (row.kind !== "game") {
      handle = make("button", "handle", "≡");
      handle.type = "button";
      handle.dataset.focus = "";
      handle.setAttribute("aria-label", `Move ${row.title}`);
      handle.setAttribute("aria-describedby", "how");
    }
    element.replaceChildren(handle, make("span", "time", row.time ?? ""), words);
  }

  /** What came from elsewhere is seen to come. */
  showNews({ inserted, moved, updated }, before) {
    const news = [...inserted, ...moved, ...updated].map(({ id }) => this.rowElements.get(id)).filter(Boolean);
    for (const element of news) element.classList.remove("news");
    void this.rows.offsetTop;
    for (const element of news) element.classList.add("news");
    if (stillness.matches) return;
    // All is read before anything is set in motion, after which a row that is read lays out all of them
    // again; and only what is seen moves.
    const { scrollTop, clientHeight } = this.rows;
    const moves = [];
    for (const [ref, element] of this.rowElements) {
      const { offsetTop, offsetHeight } = element;
      const from = before.get(ref) ?? offsetTop;
      const isSeen = [from, offsetTop].some((top) => top < scrollTop + clientHeight && top + offsetHeight > scrollTop);
      if (from !== offsetTop && isSeen) moves.push([element, from - offsetTop]);
    }
    for (const [element, way] of moves) {
      element.animate([{ translate: `0 ${way}px` }, { translate: "0 0" }], { duration: 260, easing: "ease-in-out" });
    }
  }

  // MARK: Doing

  /** Asks the engine and does what it says; what is written by that is shown when all is done. */
  perform(ask) {
    const isOuter = !this.isBusy;
    const isAtToast = document.activeElement === this.toastButton;
    this.isBusy = true;
    try {
      const { effects, lifted, dragged } = ask();
      this.dragged = dragged;
      for (const effect of effects) this[`do_${effect.effect}`]?.(effect);
      if (lifted && this.copy) this.follow(lifted);
      // What nobody says is said as it is shown.
      const shown = effects.find(({ effect, text }) => effect === "toast" && text);
      if (shown && !effects.some(({ effect }) => effect === "announce")) this.page.announce(shown.text);
    } finally {
      if (isOuter) this.isBusy = false;
    }
    if (!isOuter) return;
    if (this.isStale) {
      this.isStale = false;
      this.refresh();
    }
    // A message that goes takes the focus along; the next one has a button of its own.
    if (isAtToast && [this.toastButton, document.body].includes(document.activeElement)) {
      this.giveBack(this.toast.hidden || this.toastButton.hidden ? this.last : { element: this.toastButton, place: -1 });
    }
  }

  follow([x, y]) {
    this.copy.style.left = `${x}px`;
    this.copy.style.top = `${y}px`;
  }

  do_animate(effect) {
    if (effect.lifted) return this.animateCopy(effect);
    let hasJumped = false;
    for (const ref of effect.item ? [effect.item] : effect.rows) {
      const element = this.rowElements.get(ref);
      if (!element) continue;
      element.style.transition = ["transform", "opacity"].map((name) =>
        `${name} ${effect.duration}ms ${easing(effect.curve)} ${effect.delay}ms`).join();
      const { shiftX, shiftY, alpha } = effect;
      if (shiftX !== undefined) element.dataset.x = shiftX;
      if (shiftY !== undefined) element.dataset.y = shiftY;
      if (alpha !== undefined) element.style.opacity = alpha === 1 ? "" : alpha;
      const [left, down] = [Number(element.dataset.x ?? 0), Number(element.dataset.y ?? 0)];
      const transform = left || down ? `translate(${left}px, ${down}px)` : "";
      if (effect.duration === 0 && element.style.transform !== transform) hasJumped = true;
      element.style.transform = transform;
    }
    // What comes next starts from there: of two changes at once the browser sees the second alone.
    if (hasJumped) void this.rows.offsetTop;
  }

  animateCopy(effect) {
    if (!this.copy) this.makeCopy();
    const { copy } = this;
    if (!copy) return;
    const timing = `${effect.duration}ms ${easing(effect.curve)} ${effect.delay}ms`;
    const isLanding = effect.frame !== undefined;
    copy.style.transition = ["transform", "box-shadow", ...(isLanding ? ["left", "top"] : [])]
      .map((name) => `${name} ${timing}`).join();
    void copy.offsetTop;
    if (effect.frame) this.follow([effect.frame[0], effect.frame[1] - this.rows.scrollTop]);
    if (effect.scale !== undefined) {
      const tilt = effect.tiltY ? `perspective(500px) rotateY(${effect.tiltY}deg) ` : "";
      copy.style.transform = `${tilt}scale(${effect.scale})`;
    }
    if (effect.alpha !== undefined) copy.style.opacity = effect.alpha;
    if (effect.shadow) {
      const [x, y, radius, , to] = effect.shadow;
      copy.style.boxShadow = `${x}px ${y}px ${radius}px rgb(0 0 0 / ${to * 100}%)`;
    }
  }

  makeCopy() {
    const source = this.rowElements.get(this.dragged);
    if (!source) return;
    this.copy = make("div", "copy");
    this.copy.setAttribute("aria-hidden", "true");
    const content = source.cloneNode(true);
    content.removeAttribute("style");
    content.querySelector("button")?.setAttribute("tabindex", "-1");
    this.copy.append(...[make("div", source.className)].map((row) => {
      row.append(...content.childNodes);
      return row;
    }));
    this.copy.style.width = `${source.offsetWidth}px`;
    this.follow([0, source.offsetTop - this.rows.scrollTop]);
    this.frame.append(this.copy);
  }

  do_removeCopy({ after }) {
    const { copy } = this;
    this.copy = null;
    setTimeout(() => copy?.remove(), after);
  }

  do_finishDelayed() {
    for (const element of this.rowElements.values()) element.style.transition = "none";
    for (const copy of this.frame.querySelectorAll(".copy")) if (copy !== this.copy) copy.remove();
  }

  do_line({ show, frame, fade }) {
    this.line.style.transition = `opacity ${fade}ms`;
    this.line.style.opacity = show ? 1 : 0;
    if (show) this.line.style.top = `${frame[1] + 0.5}px`;
  }

  do_tint({ invalid }) {
    this.copy?.classList.toggle("invalid", invalid);
  }

  do_ticks({ on }) {
    cancelAnimationFrame(this.ticking);
    const tick = () => {
      this.ticking = requestAnimationFrame(tick);
      this.tell({ event: "tick", at: this.now });
    };
    if (on) this.ticking = requestAnimationFrame(tick);
  }

  do_scroll({ by }) {
    this.rows.scrollTop += by;
    this.tell({ event: "scrolled", offset: this.rows.scrollTop });
  }

  do_reveal({ gap }) {
    const element = this.rowElements.get(gap.below) ?? this.rowElements.get(gap.above)
      ?? this.rowElements.get(gap.day);
    element?.scrollIntoView({ block: "nearest" });
    this.tell({ event: "scrolled", offset: this.rows.scrollTop });
  }

  do_startTimer({ timer, delay }) {
    this.do_cancelTimer({ timer });
    this.timers[timer] = setTimeout(() => this.tell({ event: "timer", timer, at: this.now }), delay);
  }

  do_cancelTimer({ timer }) {
    clearTimeout(this.timers[timer]);
  }

  do_toast({ text, button }) {
    this.toast.hidden = text === null;
    this.toastWords.textContent = text ?? "";
    this.toastButton.hidden = button === null;
    this.toastButton.textContent = button ?? "";
  }

  do_announce({ text }) {
    this.page.announce(text);
  }

  do_focus({ row }) {
    const { activeElement } = document;
    // Nobody is taken away from where they have gone meanwhile.
    const isHere = this.rows.contains(activeElement) && !activeElement.closest(".field");
    if (isHere || [document.body, this.given].includes(activeElement)) this.focus(row);
  }

  focus(row) {
    const element = this.rowElements.get(row);
    if (element) this.handle(element)?.focus({ preventScroll: true });
  }

  do_haptic({ kind, after }) {
    if (navigator.userActivation?.hasBeenActive) setTimeout(() => navigator.vibrate?.(kind === "error" ? 40 : 12), after);
  }

  do_reload({ after }) {
    setTimeout(() => this.refresh(), after);
  }

  // MARK: A field for text

  do_beginEditing({ frame, text }) {
    this.origin = this.held();
    this.field?.remove();
    this.field = make("input", "field");
    this.field.setAttribute("aria-label", "Title");
    this.field.value = text;
    this.field.style.top = `${frame[1]}px`;
    this.field.style.height = `${frame[3] || 46}px`;
    this.field.oninput = () => this.tell({ event: "edit", phase: "text", text: this.field.value });
    this.field.onkeydown = (event) => {
      // The key belongs to an input method; one that ends it comes late in some browsers, as 229.
      if (event.isComposing || event.keyCode === 229) return;
      const phase = { Enter: "commit", Escape: "cancel" }[event.key];
      if (!phase) return;
      // Or the key presses the button that has the focus next.
      event.preventDefault();
      this.endField(phase);
    };
    this.field.onblur = () => this.field && this.endField("commit");
    // It goes with the rows.
    this.rows.append(this.field);
    this.field.focus();
  }

  endField(phase) {
    this.asEnd(() => this.tell({ event: "edit", phase }));
  }

  /** Does what may end a field here; whatever else ends it comes from other devices. */
  asEnd(body) {
    this.isEnding = true;
    try {
      body();
    } finally {
      this.isEnding = false;
    }
  }

  do_editText({ text }) {
    if (this.field) this.field.value = text;
  }

  do_endEditing({ lost }) {
    const { field } = this;
    const hadFocus = field && document.activeElement === field;
    this.field = null;
    if (hadFocus && !this.isEnding) return this.leaveOpen(field);
    field?.remove();
    if (hadFocus) {
      this.giveBack(this.origin);
      this.given = document.activeElement;
    }
    if (lost !== undefined) this.tellLost(lost);
  }

  /** The item is gone while somebody types: what is typed on is for nobody, and no other row's keys. */
  leaveOpen(field) {
    const end = (isTold) => {
      field.onblur = null;
      const hadFocus = document.activeElement === field;
      field.remove();
      if (hadFocus) this.giveBack(this.origin);
      if (isTold) this.tellLost(field.value);
    };
    field.oninput = null;
    field.onblur = () => end(true);
    field.onkeydown = (event) => {
      if (event.isComposing || event.keyCode === 229 || !["Enter", "Escape"].includes(event.key)) return;
      event.preventDefault();
      end(event.key === "Enter");
    };
  }

  tellLost(text) {
    const count = new TextEncoder().encode(text).length;
    const words = count > 65_535
      ? `Not written: a title has at most 65,535 bytes, and this one ${count.toLocaleString("en")}`
      : "Not written, because the item is gone";
    this.page.say(`${words}: “${text}”`);
    this.page.announce(words);
  }
}
