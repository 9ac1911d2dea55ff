// betwixt.js: ordered lists that several devices edit offline and merge later.
//
// One file, no build step, no dependency. The engine inside is betwixt.wasm, which reads no clock,
// draws no random numbers and calls nobody: this file gives it both. `betwixt.d.ts` has the types.
//
//     const betwixt = await Betwixt.load();
//     const list = betwixt.list({ id: "0123456789abcdef0123456789abcdef" });
//     list.insert({ title: "Milk" });
//     list.share("shopping");                  // with every other tab of this origin
"use strict";

(() => {
  const op = {
    make: 1, read: 2, close: 3, insert: 4, move: 5, set: 6, remove: 7, restore: 8, undo: 9,
    redo: 10, items: 11, item: 12, removed: 13, count: 14, index: 15, version: 16, delta: 17,
    merge: 18, save: 19, digest: 20, description: 21, startSession: 22, receive: 23, endInput: 24,
    changed: 25, tick: 26, settle: 27, endSession: 28, repair: 29, joinAll: 30, open: 64, join: 65,
    rows: 66, export: 67, losses: 68, startDrags: 69, event: 70, toast: 71, actions: 72,
  };
  const utf8 = new TextEncoder();
  // Without the option it takes the first character of a text away where that is U+FEFF.
  const text = new TextDecoder("utf-8", { ignoreBOM: true });

  /** What the engine refused: `code` is a word for programs, `message` a sentence for people. */
  class BetwixtError extends Error {
    constructor(code, message, options) {
      super(message, options);
      this.name = "BetwixtError";
      this.code = code;
    }
  }

  /** Tells an error as one that nobody caught; whoever calls goes on. */
  function report(error) {
    if (globalThis.reportError) globalThis.reportError(error);
    else queueMicrotask(() => { throw error; });
  }

  /** Calls back; what is thrown there disturbs nobody here. */
  function tell(callback, ...news) {
    try {
      callback?.(...news);
    } catch (error) {
      report(error);
    }
  }

  /** Named properties, and not a text, an array, a map or a date. */
  function mustBeObject(value, words) {
    if (Object.prototype.toString.call(value) !== "[object Object]") throw new BetwixtError("request", words);
  }

  function mustBeFunction(value, words) {
    if (typeof value !== "function") throw new BetwixtError("request", `${words} is no function`);
  }

  /** Callbacks that are given, each a function. */
  function mustBeCallbacks(callbacks) {
    for (const [name, callback] of Object.entries(callbacks)) {
      if (callback !== undefined && callback !== null) mustBeFunction(callback, `“${name}”`);
    }
  }

  /** The bytes of an ArrayBuffer or of any view of one. */
  function bytesOf(value) {
    // A view of bytes that were transferred is empty.
    if (value instanceof Uint8Array && value.length > 0) return value;
    const isBuffer = value instanceof ArrayBuffer;
    if (!isBuffer && !ArrayBuffer.isView(value)) {
      throw new BetwixtError("bytes", "bytes come in an ArrayBuffer or in a view of one");
    }
    try {
      return isBuffer ? new Uint8Array(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    } catch {
      throw new BetwixtError("bytes", "these bytes are gone: their ArrayBuffer was transferred");
    }
  }

  /** Bytes of what `save` or `delta` gave; a document of the command is known by its first ones. */
  function savedBytes(value) {
    const bytes = bytesOf(value);
    if ([0x89, 0x42, 0x54, 0x44].every((byte, index) => bytes[index] === byte)) {
      throw new BetwixtError("bytes", "this is a document of the command: “betwixt export it.trip -o copy.trip” "
        + "makes a file of it that is read here, and openFile() of betwixt-trips.wasm reads it as it is");
    }
    return bytes;
  }

  /** Only properties that are known: what is misspelt would be passed over. */
  function mustBeNamed(options, names, words) {
    mustBeObject(options, words);
    for (const name of Object.keys(options)) {
      if (!names.includes(name)) throw new BetwixtError("request", `${words}, no “${name}”`);
    }
  }

  const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

  function hex(bytes) {
    let digits = "";
    for (const byte of bytes) digits += pairs[byte];
    return digits;
  }

  // Random bytes, drawn from the system many at a time: one draw takes longer than an edit.
  function randomBytes() {
    const pool = new Uint8Array(4096);
    let place = pool.length;
    return (count) => {
      if (count > pool.length) return crypto.getRandomValues(new Uint8Array(count));
      if (place + count > pool.length) {
        crypto.getRandomValues(pool);
        place = 0;
      }
      place += count;
      return pool.slice(place - count, place);
    };
  }

  function unhex(digits, count) {
    if (typeof digits !== "string" || !/^[0-9a-f]*$/.test(digits) || digits.length !== 2 * count) {
      throw new BetwixtError("id", `“${shown(digits)}” is none of ${2 * count} hexadecimal digits`);
    }
    return Uint8Array.from({ length: count }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
  }

  /** A value in words: what is no number and no text does not always become one. */
  const shown = (value) => ["number", "bigint", "string"].includes(typeof value) ? `${value}` : `a ${typeof value}`;

  // MARK: Bytes

  class Writer {
    constructor() {
      this.bytes = new Uint8Array(256);
      this.count = 0;
    }
    room(count) {
      if (this.count + count > this.bytes.length) {
        const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.count + count));
        larger.set(this.bytes.subarray(0, this.count));
        this.bytes = larger;
      }
      this.count += count;
      return this.count - count;
    }
    byte(value) {
      const place = this.room(1);
      this.bytes[place] = value;
      return this;
    }
    raw(bytes) {
      const place = this.room(bytes.length);
      this.bytes.set(bytes, place);
      return this;
    }
    number(value) {
      if (!Number.isSafeInteger(value) || value < 0) {
        throw new BetwixtError("number", `${shown(value)} is no whole number from 0`);
      }
      let rest = value;
      for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte((rest % 128) + 128);
      return this.byte(rest);
    }
    /** A whole number, up to 64 bits where it is a `bigint`. */
    signed(value) {
      const isSmall = Number.isSafeInteger(value);
      if (!isSmall && (typeof value !== "bigint" || BigInt.asIntN(64, value) !== value)) {
        throw new BetwixtError("number", `${shown(value)} is no whole number, or too great`);
      }
      if (isSmall && Math.abs(value) < 2 ** 51) return this.number(value < 0 ? -2 * value - 1 : 2 * value);
      const whole = BigInt(value);
      let rest = whole < 0n ? -2n * whole - 1n : 2n * whole;
      for (; rest >= 128n; rest >>= 7n) this.byte(Number(rest & 127n) + 128);
      return this.byte(Number(rest));
    }
    offset(value) {
      if (!Number.isInteger(value) || value < 0 || value > 0x7fffffff) {
        throw new BetwixtError("edit", `${typeof value === "number" ? value : `a ${typeof value}`} is no place in a list`);
      }
      return this.byte(value >>> 24).byte(value >>> 16).byte(value >>> 8).byte(value);
    }
    run(value) {
      const bytes = bytesOf(value);
      return this.number(bytes.length).raw(bytes);
    }
    text(value) {
      if (typeof value !== "string") throw new BetwixtError("request", `a text belongs where ${shown(value)} is`);
      return this.run(utf8.encode(value));
    }
    id(value) {
      return this.raw(unhex(value, 16));
    }
    fields(fields) {
      mustBeObject(fields, 'fields are an object, such as { title: "Milk" }');
      const names = Object.keys(fields);
      this.number(names.length);
      for (const name of names) this.text(name).run(encoded(fields[name], name));
      return this;
    }
    get result() {
      return this.bytes.subarray(0, this.count);
    }
  }

  function tagged(tag, payload) {
    const bytes = new Uint8Array(payload.length + 1);
    bytes[0] = tag;
    bytes.set(payload, 1);
    return bytes;
  }

  // More than that no field holds, and it is not copied into the engine to be told so.
  const mostBytes = 65_535;

  /** The canonical bytes of a value; none for `null`, which clears a field. */
  function encoded(value, name) {
    if (value?.length > mostBytes) {
      throw new BetwixtError("edit", `“${name}” is too large: a field holds at most ${mostBytes} bytes`);
    }
    if (value === null || value === undefined) return new Uint8Array(0);
    if (value === false) return Uint8Array.of(1);
    if (value === true) return Uint8Array.of(2);
    if (typeof value === "string") return tagged(5, utf8.encode(value));
    if (value instanceof Uint8Array) return tagged(6, bytesOf(value));
    const bytes = new Uint8Array(9);
    const view = new DataView(bytes.buffer);
    if (typeof value === "bigint" && BigInt.asIntN(64, value) !== value) {
      throw new BetwixtError("edit", `${value} has more than 64 bits`);
    }
    if (typeof value === "bigint" || Number.isSafeInteger(value) && !Object.is(value, -0)) {
      bytes[0] = 3;
      view.setBigInt64(1, BigInt(value));
      bytes[1] ^= 0x80;
    } else if (typeof value === "number") {
      bytes[0] = 4;
      view.setFloat64(1, value);
    } else {
      const kind = Object.prototype.toString.call(value).slice(8, -1);
      throw new BetwixtError("edit", `“${name}” cannot hold this ${kind}: a field holds a text, a number, `
        + "a bigint, a boolean or a Uint8Array");
    }
    return bytes;
  }

  /** The value of canonical bytes; `undefined` for a kind that is newer than this file. */
  function decoded(bytes) {
    const payload = bytes.subarray(1);
    const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
    switch (bytes[0]) {
      case 0: return null;
      case 1: return false;
      case 2: return true;
      case 3: {
        const value = BigInt.asIntN(64, view.getBigUint64(0) ^ (1n << 63n));
        const number = Number(value);
        return Number.isSafeInteger(number) ? number : value;
      }
      case 4: return view.getFloat64(0);
      case 5: return text.decode(payload);
      case 6: return payload.slice();
      default: return undefined;
    }
  }

  // An assignment to `__proto__` makes no field of this name.
  function add(fields, name, value) {
    if (name !== "__proto__") fields[name] = value;
    else Object.defineProperty(fields, name, { value, enumerable: true, writable: true, configurable: true });
  }

  class Reader {
    constructor(bytes) {
      this.bytes = bytes;
      this.place = 0;
    }
    byte() {
      return this.take(1)[0];
    }
    take(count) {
      if (this.place + count > this.bytes.length) {
        throw new BetwixtError("engine", "an answer of the engine is too short");
      }
      this.place += count;
      return this.bytes.subarray(this.place - count, this.place);
    }
    number() {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const next = this.byte();
        value += (next % 128) * scale;
        if (next < 128) return value;
      }
    }
    /** A number, or a `bigint` from 2^53 on, as with values. */
    signed() {
      const start = this.place;
      const code = this.number();
      if (Number.isSafeInteger(code)) return code % 2 ? -(code + 1) / 2 : code / 2;
      let exact = 0n;
      this.bytes.subarray(start, this.place).forEach((byte, index) => {
        exact |= BigInt(byte & 127) << BigInt(7 * index);
      });
      const value = exact & 1n ? -(exact + 1n) / 2n : exact / 2n;
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : value;
    }
    run() {
      return this.take(this.number());
    }
    text() {
      return text.decode(this.run());
    }
    id() {
      return hex(this.take(16));
    }
    times(body) {
      return Array.from({ length: this.number() }, body);
    }
    fields() {
      const fields = {};
      for (let rest = this.number(); rest > 0; rest--) {
        const name = this.text();
        const value = decoded(this.run());
        if (value !== undefined) add(fields, name, value);
      }
      return fields;
    }
    item() {
      return { id: this.id(), section: this.signed(), fields: this.fields() };
    }
    /** A register of an item: a field, or with a mark its place, its life, or what is newer. */
    register() {
      const register = { id: this.id(), field: this.text() };
      if (this.byte() === 0) register.register = true;
      return register;
    }
    rest() {
      return this.bytes.slice(this.place);
    }
    changes() {
      const names = () => this.times(() => this.text());
      return {
        removed: this.times(() => ({ id: this.id(), oldIndex: this.number() })),
        inserted: this.times(() => ({ id: this.id(), newIndex: this.number() })),
        moved: this.times(() => ({
          id: this.id(), oldIndex: this.number(), newIndex: this.number(),
        })),
        updated: this.times(() => ({ id: this.id(), newIndex: this.number(), fields: names() })),
        metadata: names(),
        conflicts: this.times(() => {
          const conflict = this.register();
          conflict.lostHere = this.byte() === 1;
          const [loser, winner] = [this.run(), this.run()];
          if (!conflict.register) Object.assign(conflict, { loser: decoded(loser), winner: decoded(winner) });
          return conflict;
        }),
        hiddenEdits: this.times(() => this.id()),
      };
    }
  }

  // MARK: The engine

  const ofBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

  const isGzip = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;

  async function inflated(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    try {
      return await new Response(stream).arrayBuffer();
    } catch (error) {
      throw new BetwixtError("engine", `this is no engine: ${error.message}`);
    }
  }

  async function fetched(address) {
    let answer;
    try {
      answer = await fetch(address);
    } catch (error) {
      throw new BetwixtError("engine", `the engine at ${address} cannot be loaded: ${error.message}`);
    }
    if (!answer.ok) throw new BetwixtError("engine", `there is no engine at ${address}: ${answer.status} ${answer.statusText}`);
    return answer.arrayBuffer();
  }

  /** What an engine exports. */
  async function started(bytes) {
    try {
      return (await WebAssembly.instantiate(bytes, {})).instance.exports;
    } catch (error) {
      throw new BetwixtError("engine", `this is no engine: ${error.message}`);
    }
  }

  // How many edits may be made by listeners that are told of one that a listener made.
  const deepest = 64;

  /** The clock of the system, which goes forward only, but for one that was put right. */
  class Clock {
    constructor() {
      this.last = 0;
    }
    now() {
      const time = Date.now();
      // A clock that is kept right goes back by seconds at most.
      if (time > this.last || time < this.last - 60_000) this.last = time;
      return this.last;
    }
    /** Takes the clock of the system for right. */
    follow() {
      this.last = 0;
    }
  }

  /** The engine: where lists come from. */
  class Betwixt {
    /**
     * Starts the engine.
     *
     * `source` is bytes, which may be gzipped, or those as base64, or a URL; without one, what is
     * built into the file. `now` and `random` replace the clock and the random numbers, for tests.
     */
    static async load(source = Betwixt.embedded, options = {}) {
      mustBeNamed(options, ["now", "random"], "an engine takes { now, random }");
      const { now, random } = options;
      mustBeCallbacks({ now, random });
      let bytes = source;
      if (typeof source === "string" && /^[A-Za-z0-9+/=\s]{64,}$/.test(source)) {
        bytes = ofBase64(source);
      } else if (typeof source === "string" || source instanceof URL) {
        bytes = await fetched(source);
      }
      if (!bytes) throw new BetwixtError("engine", "there is no engine: give load() betwixt.wasm");
      bytes = bytesOf(bytes);
      if (isGzip(bytes)) bytes = await inflated(bytes);
      return new Betwixt(await started(bytes), now, random);
    }

    constructor(exports, now, random) {
      this.exports = exports;
      this.hasSessions = !!(exports.betwixt_trips ?? exports.betwixt_sync);
      this.memory = (exports.betwixt_trips ?? exports.betwixt_sync ?? exports.betwixt_lists)();
      this.isBroken = false;
      // The sessions and links that are open, which end with the engine.
      this.sessions = new Set();
      this.links = new Set();
      // How many edits are being told, each within the other.
      this.depth = 0;
      this.clock = now ? null : new Clock();
      this.now = now ?? (() => this.clock.now());
      this.random = random ?? randomBytes();
    }

    mustRun() {
      // What a trap left half done is not used again: load() anew, and read what was saved.
      if (this.isBroken) throw new BetwixtError("engine", "the engine has stopped");
    }

    /** Answers a request; everything goes through here. */
    call(operation, handle, body) {
      this.mustRun();
      // The stack would run over in the engine, and stop it for all lists.
      if (this.depth > deepest) {
        throw new BetwixtError("request", "listeners answer each other's edits without an end");
      }
      const request = new Writer();
      request.byte(operation).number(handle).signed(this.now()).raw(this.random(8));
      body?.(request);
      return new Reader(this.answer(request.result));
    }

    /** The answer as the engine gives it; a trap is the end of the engine. */
    rawAnswer(request) {
      if (request.length > 2 ** 29) throw new BetwixtError("limit", "these are more than 512 MB at once");
      const { betwixt_reserve, betwixt_call, betwixt_count, memory } = this.exports;
      try {
        const input = betwixt_reserve(this.memory, request.length) >>> 0;
        new Uint8Array(memory.buffer, input, request.length).set(request);
        const output = betwixt_call(this.memory) >>> 0;
        return new Uint8Array(memory.buffer, output, betwixt_count(this.memory)).slice();
      } catch (error) {
        const words = `the engine has stopped: ${error.message}`;
        this.stop(words);
        throw new BetwixtError("engine", words);
      }
    }

    /** Ends all that would ask the engine again, without asking it. */
    stop(words) {
      this.isBroken = true;
      const sessions = [...this.sessions];
      for (const session of sessions) session.leave();
      for (const link of [...this.links]) link.close();
      for (const session of sessions) tell(session.onClose, words);
    }

    answer(request) {
      const answer = this.rawAnswer(request);
      if (answer[0] === 0) return answer.subarray(1);
      const failure = new Reader(answer.subarray(1));
      throw new BetwixtError(failure.text(), failure.text());
    }

    /** A random id of `count` bytes. */
    id(count = 16) {
      if (!Number.isInteger(count) || count < 1 || count > 1024) {
        throw new BetwixtError("number", `${shown(count)} is no number of bytes from 1 to 1024`);
      }
      return hex(this.random(count));
    }

    /** A new list; `id` is that of the list, the same on every device. */
    list(options = {}) {
      mustBeNamed(options, ["id"], "a new list takes { id }");
      const { id = this.id() } = options;
      return this.opened(op.make, (request) => request.raw(this.random(8)).id(id));
    }

    /** The list of saved bytes. */
    read(value) {
      const bytes = savedBytes(value);
      return this.opened(op.read, (request) => request.raw(this.random(8)).run(bytes));
    }

    // Who opens a list writes as somebody new: a tab that was duplicated, a profile that was copied
    // and a page that is shown again from a cache can never write two things under one number.
    opened(operation, body) {
      const reader = this.call(operation, 0, body);
      const list = new List(this, reader.number());
      list.report = reader.place < reader.bytes.length ? reader.times(() => reader.text()) : [];
      return list;
    }

    /** The list of a file of any format that is read: `.trip`, JSON, `.ics`, … (trips only). */
    openFile(name, bytes) {
      return this.opened(op.open, (request) =>
        request.raw(this.random(8)).text(name).run(bytes));
    }

    /** Any number of files `{ name, bytes }` joined; `report` says what came from where. */
    joinFiles(files, base) {
      if (!Array.isArray(files)) throw new BetwixtError("request", "files are an array of { name, bytes }");
      const all = base ? [base, ...files] : files;
      for (const file of all) mustBeObject(file, "a file is { name, bytes }");
      return this.opened(op.join, (request) => {
        request.raw(this.random(8)).byte(base ? 1 : 0).number(all.length);
        for (const file of all) request.text(file.name).run(file.bytes);
      });
    }

    // MARK: What is kept

    /** The names under which lists are kept in IndexedDB. */
    keptNames() {
      return withDatabase("readonly", (documents) => asked(documents.getAllKeys()));
    }

    /** What is kept under a name: bytes that `read` and `merge` take, the first of all, others behind it. */
    keptBytes(name) {
      mustBeName(name);
      return withDatabase("readonly", async (documents, writes) => {
        const saved = await asked(documents.get(name));
        const added = await asked(writes.getAll(pieces(name, 1)));
        return saved ? [saved, ...added] : added;
      });
    }

    /** Deletes what is kept under a name. */
    forget(name) {
      mustBeName(name);
      return withDatabase("readwrite", (documents, writes) => {
        documents.delete(name);
        writes.delete(pieces(name));
      });
    }
  }

  // MARK: Lists

  /** A list, and who edits it here. */
  class List {
    constructor(engine, handle) {
      this.engine = engine;
      this.handle = handle;
      this.listeners = new Set();
      this.sessions = new Set();
      this.links = new Set();
      this.storage = null;
      this.cache = null;
      this.isClosed = false;
      this.closing = null;
      const reader = this.ask(op.description);
      this.id = reader.id();
      this.replica = hex(reader.take(8));
    }

    mustBeOpen() {
      if (this.isClosed) throw new BetwixtError("handle", "the list is closed");
    }

    ask(operation, body) {
      this.mustBeOpen();
      return this.request(operation, body);
    }

    /** Asks also a list that is closed, of which something is still to be kept. */
    request(operation, body) {
      return this.engine.call(operation, this.handle, body);
    }

    /** Every item, first to last: `{ id, section, fields }`. */
    get items() {
      // Everybody gets the same array, so nobody sorts it.
      this.cache ??= Object.freeze(this.slice(0, this.length));
      return this.cache;
    }

    /** The items from an index to before another, to the end unless said. */
    slice(start = 0, end = Infinity) {
      for (const index of [start, end]) {
        if (typeof index !== "number") throw new BetwixtError("number", `${shown(index)} is no index`);
      }
      const fromStart = (index) => index < 0 ? Math.max(0, index + this.length) : index;
      const first = fromStart(start);
      const count = Math.min(Math.max(0, fromStart(end) - first), 2 ** 31);
      const reader = this.ask(op.items, (request) => request.number(first).number(count));
      return reader.times(() => reader.item());
    }

    get length() {
      return this.ask(op.count).number();
    }

    /** The item with an id; `undefined` if there is none, or if it is removed. */
    item(id) {
      const reader = this.ask(op.item, (request) => request.id(id));
      return reader.byte() === 1 ? reader.item() : undefined;
    }

    /** The index of an item; -1 if it is not there. */
    indexOf(id) {
      return this.ask(op.index, (request) => request.id(id)).number() - 1;
    }

    /** The items that were removed, which `restore` brings back. */
    get removed() {
      const reader = this.ask(op.removed);
      return reader.times(() => reader.item());
    }

    /** The fields of the list itself. */
    get metadata() {
      this.mustBeOpen();
      return this.about.metadata;
    }

    get canUndo() {
      this.mustBeOpen();
      return this.about.canUndo;
    }

    get canRedo() {
      this.mustBeOpen();
      return this.about.canRedo;
    }

    get about() {
      const reader = this.request(op.description);
      reader.take(24);
      const sequence = reader.number();
      const unversioned = reader.number();
      const [canUndo, canRedo] = [reader.byte() === 1, reader.byte() === 1];
      return { sequence, unversioned, canUndo, canRedo, metadata: reader.fields() };
    }

    // MARK: Edits

    /** Adds an item: at the end, or `{ at, section }`, `{ before }`, `{ after }`. */
    insert(fields = {}, target = {}) {
      const reader = this.ask(op.insert, (request) => place(request, target).fields(fields));
      const id = reader.id();
      this.changed(null);
      return id;
    }

    /** Moves an item; `at` counts in its section as it is before. */
    move(id, target = {}) {
      this.ask(op.move, (request) => place(request.id(id), target));
      this.changed(null);
    }

    /** Sets fields; `null` clears one. */
    set(id, fields) {
      this.ask(op.set, (request) => request.id(id).fields(fields));
      this.changed(null);
    }

    /** Sets fields of the list itself. */
    setMetadata(fields) {
      this.set("0".repeat(32), fields);
    }

    remove(id) {
      this.ask(op.remove, (request) => request.id(id));
      this.changed(null);
    }

    restore(id) {
      this.ask(op.restore, (request) => request.id(id));
      this.changed(null);
    }

    /** Takes back the newest own step, as far as nobody has written there since. */
    undo() {
      return this.turn(op.undo);
    }

    redo() {
      return this.turn(op.redo);
    }

    turn(operation) {
      const before = this.about;
      const reader = this.ask(operation);
      if (reader.byte() === 0) {
        // Steps of which others have left nothing are given up in passing.
        const { canUndo, canRedo } = this.about;
        if (canUndo !== before.canUndo || canRedo !== before.canRedo) this.changed(null);
        return null;
      }
      const result = { name: reader.text(), kept: reader.times(() => reader.id()) };
      result.changes = reader.changes();
      this.changed(null);
      return result;
    }

    // MARK: Merging

    /** What this copy knows; for `delta` of another. */
    get version() {
      return this.ask(op.version).rest();
    }

    /** The writes beyond a version, all without one, sealed by a checksum. */
    delta(since) {
      const version = since === undefined ? Uint8Array.of(0) : bytesOf(since);
      try {
        return this.ask(op.delta, (request) => request.raw(version)).rest();
      } catch (error) {
        // The request is nothing but the version.
        if (error.code !== "request") throw error;
        throw new BetwixtError("bytes", `these bytes are no version: ${error.message}`);
      }
    }

    /** Joins what `delta` or `save` of another copy gave. */
    merge(value) {
      const bytes = savedBytes(value);
      const reader = this.ask(op.merge, (request) => request.run(bytes));
      const changes = reader.changes();
      changes.withheld = reader.times(() => reader.text());
      this.changed(changes);
      return changes;
    }

    /** 32 bytes as digits: equal exactly where lists hold the same. */
    get digest() {
      return hex(this.ask(op.digest).rest());
    }

    /** All of the list as bytes: a `.trip` file. */
    save() {
      return this.ask(op.save).rest();
    }

    /**
     * Makes again, at the present time, what was written here or kept while a clock was ahead; how many
     * writes that were.
     *
     * The list is somebody new then: sessions are cut, and what was done before cannot be taken back.
     */
    async repairClock() {
      const count = this.repair();
      return Math.max(count, await this.storage?.repair() ?? 0);
    }

    repair() {
      this.engine.clock?.follow();
      const replica = this.engine.random(8);
      const count = this.ask(op.repair, (request) => request.raw(replica)).number();
      if (count === 0) return 0;
      this.replica = hex(replica);
      for (const session of [...this.sessions]) session.cut();
      this.changed(null);
      for (const link of this.links) link.greet();
      return count;
    }

    // MARK: Telling

    /** Calls back after every change; `changes` is `null` for an edit of this list itself. */
    subscribe(listener) {
      mustBeFunction(listener, "the listener");
      this.listeners.add(listener);
      return () => this.listeners.delete(listener);
    }

    changed(changes, source = null) {
      this.cache = null;
      for (const session of [...this.sessions]) {
        if (session !== source) session.told();
      }
      if (!source) this.storage?.saveLater();
      this.engine.depth += 1;
      for (const listener of [...this.listeners]) tell(listener, changes);
      this.engine.depth -= 1;
    }

    // MARK: Trips

    /** The rows of a trip, days and items, as a page shows them. */
    get rows() {
      return JSON.parse(text.decode(this.ask(op.rows).rest()));
    }

    /** A file of a format by its ending, and what it leaves out. */
    export(ending) {
      const reader = this.ask(op.export, (request) => request.text(ending));
      return { omissions: reader.text(), bytes: reader.run().slice() };
    }

    /** What merges lost since this was asked last, in words. */
    losses(here, there) {
      const reader = this.ask(op.losses, (request) => request.text(here).text(there));
      return reader.times(() => reader.text());
    }

    drags(operation, body) {
      const answer = JSON.parse(text.decode(this.ask(operation, body).rest()));
      if (answer.effects.some(({ effect }) => effect === "commit" || effect === "turn")) {
        this.changed(null);
      }
      return answer;
    }

    startDrags(options = {}) {
      mustBeNamed(options, ["reduceMotion"], "drags take { reduceMotion }");
      const { reduceMotion = false } = options;
      return this.drags(op.startDrags, (request) => request.byte(reduceMotion ? 1 : 0));
    }

    /** Tells the engine of drags an event, and gives what is to be done. */
    event(event) {
      let json;
      try {
        json = JSON.stringify(event) ?? "";
      } catch (error) {
        throw new BetwixtError("event", `this is no event: ${error.message}`);
      }
      return this.drags(op.event, (request) => request.text(json));
    }

    pressToast() {
      return this.drags(op.toast, (request) => request.signed(this.engine.now()));
    }

    actions(id) {
      const reader = this.ask(op.actions, (request) => request.id(id));
      return reader.times(() => reader.text());
    }

    // MARK: Conversations

    /** A conversation over anything that carries bytes in order. */
    session(options) {
      return new Session(this, options);
    }

    /** Shares the list with every tab of this origin that shares it under the same name. */
    share(name, options = {}) {
      this.mustBeOpen();
      if (typeof name !== "string") throw new BetwixtError("request", "what is shared has a name, a text");
      mustBeNamed(options, ["onSynced", "onRefused"], "sharing takes { onSynced, onRefused }");
      const { onSynced, onRefused } = options;
      mustBeCallbacks({ onSynced, onRefused });
      if (!this.engine.hasSessions) {
        throw new BetwixtError("request", "this engine has lists alone: betwixt-sync.wasm can share");
      }
      this.engine.mustRun();
      const link = new ChannelLink(this, name, options);
      this.links.add(link);
      this.engine.links.add(link);
      return link;
    }

    /** Keeps the list in IndexedDB under a name, after joining what is there. */
    async keep(name, options = {}) {
      this.mustBeOpen();
      mustBeName(name);
      mustBeNamed(options, ["onError", "onDamage"], "keeping takes { onError, onDamage }");
      const { onError, onDamage } = options;
      mustBeCallbacks({ onError, onDamage });
      const before = this.storage;
      const storage = new Storage(this, name, onError, onDamage);
      // At once, so that an edit is kept that comes while it is being opened.
      this.storage = storage;
      try {
        await storage.save();
      } catch (error) {
        storage.leave();
        if (before && !before.isLeft) {
          this.storage = before;
          before.saveLater();
        }
        throw error;
      }
      before?.leave();
      return storage;
    }

    /**
     * Ends with what was written on the drive, where the list is kept; from the call on it answers
     * nothing. If that cannot be, this throws, and the list is open still, unless the engine has stopped.
     */
    close() {
      this.closing ??= this.finish();
      return this.closing;
    }

    async finish() {
      for (const link of [...this.links]) link.close();
      for (const session of [...this.sessions]) session.cut();
      this.isClosed = true;
      this.cache = null;
      try {
        if (this.storage) await this.storage.close();
      } catch (error) {
        if (this.engine.isBroken) {
          this.storage?.leave();
        } else {
          this.isClosed = false;
          this.closing = null;
        }
        throw error;
      }
      // One that has stopped gives nothing back.
      if (!this.engine.isBroken) this.request(op.close);
    }
  }

  const places = "a place is { at, section }, { before } or { after }";

  function place(request, target) {
    const names = ["before", "after"].filter((name) => Object.hasOwn(Object(target), name));
    mustBeNamed(target, names.length > 0 ? names.slice(0, 1) : ["at", "section"], places);
    const { at, section = 0 } = target;
    if (names[0] === "before") return request.byte(2).id(target.before);
    if (names[0] === "after") return request.byte(3).id(target.after);
    if (at === undefined) return request.byte(1).signed(section);
    return request.byte(0).signed(section).offset(at);
  }

  // MARK: Conversations

  /**
   * One conversation with one peer: give it what comes, it sends what goes.
   *
   * What it calls may call it again: a listener edits, a peer in the same page answers at once. What
   * the engine says then waits for what it said before, so that bytes stay in order.
   */
  class Session {
    constructor(list, options = {}) {
      mustBeObject(options, "a session takes { send, live, onSynced, onRefused, onClose }");
      const { send, live = true, onSynced, onRefused, onClose } = options;
      mustBeFunction(send, "“send” of a session");
      mustBeCallbacks({ onSynced, onRefused, onClose });
      Object.assign(this, { list, send, onSynced, onRefused, onClose });
      this.steps = [];
      this.isPerforming = false;
      this.isStale = false;
      this.isClosed = false;
      this.bytesSent = 0;
      this.bytesReceived = 0;
      const { engine } = list;
      const reader = list.ask(op.startSession, (request) =>
        request.byte(live ? 1 : 0).raw(engine.random(16)));
      this.handle = reader.number();
      list.sessions.add(this);
      engine.sessions.add(this);
      this.timer = setInterval(() => this.ask(op.tick), 5_000);
      this.perform(reader);
    }

    /** Takes bytes that came from the peer. */
    receive(value) {
      const bytes = bytesOf(value);
      this.bytesReceived += bytes.length;
      this.ask(op.receive, (request) => request.run(bytes));
    }

    told() {
      // However many edits a listener makes, the peer hears of them once.
      if (this.isPerforming) this.isStale = true;
      else this.ask(op.changed);
    }

    /** Says that the connection is gone. */
    cut() {
      this.ask(op.endInput);
    }

    /** Ends in order. */
    end() {
      this.ask(op.endSession);
    }

    ask(operation, body) {
      if (this.isClosed) return;
      this.perform(this.list.engine.call(operation, this.handle, body));
    }

    perform(reader) {
      this.read(reader);
      if (this.isPerforming) return;
      this.isPerforming = true;
      try {
        while (this.steps.length > 0 || this.isStale) {
          const step = this.steps.shift();
          if (step) {
            step();
          } else {
            this.isStale = false;
            this.ask(op.changed);
          }
        }
      } finally {
        this.isPerforming = false;
      }
    }

    /** Reads what is to be done, and does none of it. */
    read(reader) {
      let mustStore = false;
      for (let kind = reader.byte(); kind !== 0; kind = reader.byte()) {
        if (kind === 3) mustStore = true;
        else this.steps.push(this.step(kind, reader));
      }
      if (mustStore) this.steps.push(() => this.settle());
    }

    step(kind, reader) {
      if (kind === 1) {
        const bytes = reader.run().slice();
        return () => this.give(bytes);
      }
      if (kind === 2) {
        const changes = reader.changes();
        this.list.cache = null;
        return () => this.list.changed(changes, this);
      }
      if (kind === 4) {
        const digest = hex(reader.take(32));
        return () => tell(this.onSynced, digest);
      }
      if (kind === 6) {
        const refusal = {
          byPeer: reader.byte() === 1, isDeferred: reader.byte() === 1, reason: reader.text(),
          writes: reader.times(() => reader.register()),
        };
        return () => tell(this.onRefused, refusal);
      }
      const reason = reader.text();
      this.leave();
      return () => tell(this.onClose, reason);
    }

    /** Asks the engine nothing from now on. */
    leave() {
      this.isClosed = true;
      clearInterval(this.timer);
      this.list.sessions.delete(this);
      this.list.engine.sessions.delete(this);
    }

    give(bytes) {
      if (this.isLost) return;
      this.bytesSent += bytes.length;
      try {
        this.send(bytes);
      } catch (error) {
        // What follows would make no sense to the peer.
        this.isLost = true;
        report(error);
        this.cut();
      }
    }

    async settle() {
      let isStored = true;
      try {
        await this.list.storage?.save();
      } catch {
        isStored = false;
      }
      this.ask(op.settle, (request) => request.byte(isStored ? 1 : 0));
    }
  }

  // How long a link waits until it greets again whom it lost: at first, and at most.
  const [firstPause, longestPause] = [1_000, 30_000];

  /**
   * Conversations with all tabs that listen on one BroadcastChannel.
   *
   * Each side draws a number, and the numbers of both are the name of their conversation. Whoever hears
   * a number that is new begins one, and tells its own to who does not know it. So both begin the same
   * conversations, however their greetings cross, and none takes bytes of another.
   */
  class ChannelLink {
    constructor(list, name, { onSynced, onRefused }) {
      Object.assign(this, { list, name, onSynced, onRefused, peers: new Map() });
      this.leaving = () => this.shut();
      // Who goes back may get the page as it was left, with all that was in it.
      this.returning = ({ persisted }) => persisted && this.open();
      this.showing = () => document.visibilityState === "visible" && this.greetLost();
      this.resuming = () => this.channel && this.greet();
      this.listen("addEventListener");
      this.open();
    }

    listen(method) {
      globalThis[method]?.("pagehide", this.leaving);
      globalThis[method]?.("pageshow", this.returning);
      // A page that was hidden for long, or frozen, may have been given up by others.
      globalThis.document?.[method]("visibilitychange", this.showing);
      globalThis.document?.[method]("resume", this.resuming);
    }

    open() {
      this.me = this.list.engine.id(8);
      this.channel = new BroadcastChannel(`betwixt:${this.list.id}:${this.name}`);
      this.channel.onmessage = ({ data }) => this.received(data);
      this.greet();
    }

    /** Begins anew with everybody. */
    greet() {
      for (const from of [...this.peers.keys()]) this.leave(from);
      this.mine = this.list.engine.id(8);
      this.post({ kind: "hello", mine: this.mine });
    }

    /** Begins anew with one that was lost; it is no peer until it answers. */
    greetAgain(peer) {
      clearTimeout(peer.timer);
      const { from, pause } = peer;
      const mine = this.list.engine.id(8);
      this.peers.set(from, { from, mine, yours: null, session: null, pause });
      this.post({ kind: "hello", to: from, mine });
    }

    greetLost() {
      for (const peer of [...this.peers.values()]) if (!peer.session) this.greetAgain(peer);
    }

    post(message) {
      this.channel?.postMessage({ from: this.me, ...message });
    }

    received({ from, to, kind, mine, yours, bytes }) {
      if (to !== undefined && to !== this.me) return;
      // A list has nothing to tell itself.
      if ([...this.list.links].some(({ me }) => me === from)) return;
      const peer = this.peers.get(from);
      if (kind === "hello" && mine !== undefined) {
        // What is the number of the other is its own to it.
        this.greeted(from, mine, yours);
      } else if (kind === "bye") {
        this.leave(from);
      } else if (kind === "bytes" && peer?.yours === mine && peer.mine === yours) {
        peer.session?.receive(bytes);
      }
    }

    /** Takes a greeting by somebody with a number, who knows that this side has another, if any. */
    greeted(from, yours, known) {
      const before = this.peers.get(from);
      if (before?.yours === yours) return;
      this.leave(from);
      const { mine, pause } = before ?? { mine: this.mine, pause: 0 };
      if (known !== mine) this.post({ kind: "hello", to: from, mine, yours });
      this.meet({ from, mine, yours, session: null, pause });
    }

    meet(peer) {
      const { from, mine, yours } = peer;
      const start = performance.now();
      this.peers.set(from, peer);
      const session = this.list.session({
        send: (bytes) => this.post({ kind: "bytes", to: from, mine, yours, bytes }),
        onSynced: this.onSynced,
        onRefused: this.onRefused,
        onClose: (reason) => this.lost(peer, reason, performance.now() - start),
      });
      // It may be over while it begins.
      if (!session.isClosed) peer.session = session;
    }

    /** Greets again whoever is lost, less and less often where that does not last. */
    lost(peer, reason, duration) {
      // It was left here, or another has taken its place.
      if (this.peers.get(peer.from) !== peer) return;
      peer.session = null;
      if (!reason) {
        this.peers.delete(peer.from);
        return;
      }
      peer.pause = duration < longestPause ? Math.min(2 * peer.pause || firstPause, longestPause) : firstPause;
      peer.timer = setTimeout(() => this.greetAgain(peer), peer.pause);
    }

    /** Ends with one, without greeting it again. */
    leave(from) {
      const peer = this.peers.get(from);
      if (!peer) return;
      this.peers.delete(from);
      clearTimeout(peer.timer);
      peer.session?.cut();
    }

    /** How many tabs listen. */
    get peerCount() {
      return [...this.peers.values()].filter(({ session }) => session).length;
    }

    shut() {
      this.post({ kind: "bye" });
      for (const from of [...this.peers.keys()]) this.leave(from);
      this.channel?.close();
      this.channel = null;
    }

    close() {
      this.shut();
      this.listen("removeEventListener");
      this.list.links.delete(this);
      this.list.engine.links.delete(this);
    }
  }

  // MARK: Storage

  const asked = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  // What is kept under a name is a list as it was saved, and behind it what was written since, piece by
  // piece: under [name, 1], [name, 2], … in "writes", and under [name, 0] the head, which says how many
  // there are. Its `mark` is another one whenever all was saved anew, so that who has read some of the
  // pieces knows whether they are still those. Its `digest` tells what no version does: that numbers were
  // used twice, by a document and its copy, and what is kept has one of two writes that the list has.
  const stores = ["documents", "writes"];
  const pieces = (name, from = 0) => IDBKeyRange.bound([name, from], [name, Infinity]);

  // A piece takes some hundred bytes whatever is in it, and who opens the list reads each of them: all is
  // saved anew once they are many, or more than the list itself, if that is not small.
  const mostPieces = 256;
  const smallSize = 16_384;

  /** What the drive refuses is told as everything that is refused here, and its own error with it. */
  function ofDrive(cause) {
    if (cause instanceof BetwixtError) return cause;
    return new BetwixtError("storage", cause?.message || cause?.name || "the browser ended it", { cause });
  }

  async function openDatabase() {
    if (!globalThis.indexedDB) throw new BetwixtError("storage", "there is no IndexedDB here to keep lists in");
    try {
      return await opened(indexedDB.open("betwixt", 2));
    } catch (error) {
      throw ofDrive(error);
    }
  }

  const opened = (request) => new Promise((resolve, reject) => {
    let isRefused = false;
    request.onupgradeneeded = () => {
      const database = request.result;
      for (const name of stores) {
        if (!database.objectStoreNames.contains(name)) database.createObjectStore(name);
      }
    };
    request.onblocked = () => {
      isRefused = true;
      reject(new BetwixtError("storage", "another tab holds what is kept here as an older betwixt.js left it: "
        + "close it, or load it anew"));
    };
    request.onsuccess = () => {
      // It comes once the other tab is gone, and nobody waits for it any more.
      if (isRefused) request.result.close();
      else resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });

  /** Does something in one transaction, and ends when it is on the drive; all of it, or nothing. */
  async function transact(database, mode, body) {
    let transaction, ending;
    try {
      transaction = database.transaction(stores, mode, { durability: "strict" });
      ending = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      const result = await body(...stores.map((name) => transaction.objectStore(name)));
      await ending;
      return result;
    } catch (error) {
      ending?.catch(() => {});
      try {
        transaction?.abort();
      } catch {
        // It has ended already, and this is why.
      }
      throw ofDrive(error);
    }
  }

  async function withDatabase(mode, body) {
    const database = await openDatabase();
    try {
      return await transact(database, mode, body);
    } finally {
      database.close();
    }
  }

  function mustBeName(name) {
    if (typeof name !== "string") throw new BetwixtError("request", "what is kept has a name, a text");
  }

  const areEqual = (left, right) =>
    left.length === right.length && left.every((byte, index) => byte === right[index]);

  /**
   * One document in IndexedDB. Several tabs may keep the same one: each reads what others have written
   * there and adds its own in one transaction, so that nobody's writes are lost.
   */
  class Storage {
    constructor(list, name, onError, onDamage) {
      Object.assign(this, { list, name, onError, onDamage, database: null, running: null, failure: null });
      Object.assign(this, { isDirty: false, isKept: false, isLeft: false });
      Object.assign(this, { isRepairing: false, repairCount: 0, waitingCount: 0, damage: null });
      // The head of what the list has taken in from the drive, and what the list had merged then that no
      // version tells of.
      this.seen = null;
      // The digest of the list when it had taken in what was kept, and nobody had been told of it.
      this.joined = null;
      this.isAnswered = false;
      // Who goes back to the page finds there what other tabs have written meanwhile.
      this.returning = ({ persisted }) => persisted && this.saveLater();
      globalThis.addEventListener?.("pageshow", this.returning);
    }

    async open() {
      const database = await openDatabase();
      // The browser took it away, or somebody deletes it: the next save opens it anew.
      database.onclose = database.onversionchange = () => this.disconnect();
      return database;
    }

    disconnect() {
      this.database?.close();
      this.database = null;
    }

    /** Writes the list, and ends when it is on the drive. */
    save() {
      this.isDirty = true;
      this.running ??= this.work().finally(() => (this.running = null));
      return this.running;
    }

    /** Writes the list, where nobody waits for it. */
    saveLater() {
      const isHeard = this.running || !this.isKept || this.onError;
      this.save().catch((error) => {
        if (!isHeard) report(error);
      });
    }

    async work() {
      try {
        while (this.isDirty) {
          // An edit may ask for it while it is still being opened, and it may be taken away meanwhile.
          this.database ??= await this.open();
          this.isDirty = false;
          this.damage = null;
          this.seen = await transact(this.database, "readwrite", (documents, writes) =>
            this.exchange(documents, writes));
          if (this.damage) tell(this.onDamage, this.damage);
        }
        this.isKept = true;
        this.failure = null;
      } catch (error) {
        // The next save tries it again.
        this.isDirty = true;
        this.failure = error;
        this.disconnect();
        if (this.isKept) tell(this.onError, error);
        throw error;
      }
    }

    /** Repairs what is kept, too; how many writes there were ahead of the clock. */
    async repair() {
      this.isRepairing = true;
      this.repairCount = 0;
      try {
        await this.save();
      } finally {
        this.isRepairing = false;
      }
      return this.repairCount;
    }

    /** Takes in what is new on the drive, and writes there what is new here; the head of both. */
    async exchange(documents, writes) {
      const { list, name, seen } = this;
      const head = await asked(writes.get([name, 0]));
      // What waits for its time is read each time, and all that is kept is repaired.
      const isKnown = head && head.mark === seen?.mark && this.waitingCount === 0 && !this.isRepairing;
      const first = isKnown ? seen.count + 1 : 1;
      const saved = isKnown ? undefined : await asked(documents.get(name));
      const added = head?.count >= first ? await asked(writes.getAll(pieces(name, first))) : [];
      // Before others' pieces come in: whatever numbers those cover, what is new here is all in it.
      const own = isKnown ? this.news(seen.version) : null;
      this.joined = null;
      this.isAnswered = false;
      const whole = this.takeIn(saved, added, isKnown);
      this.noteAnswer(this.digest());
      const isWaiting = this.waitingCount > 0;
      if (isKnown && (isWaiting || whole === null)) {
        this.seen = null;
        return this.exchange(documents, writes);
      }
      const { unversioned } = list.about;
      if (head && (isKnown || saved) && !isWaiting && !this.isRepairing && !this.damage && !this.isAnswered) {
        const isSame = this.digest() === head.digest;
        const news = this.news(head.version);
        if (isSame && areEqual(news, head.rest)) return { ...head, unversioned };
        const hasOwn = isKnown && !areEqual(own, seen.rest);
        const piece = hasOwn ? own : news;
        const size = head.size + piece.length;
        const isAll = isSame || (isKnown
          ? hasOwn && unversioned === seen.unversioned : this.isAll(whole, piece));
        if (isAll && head.count < mostPieces && size <= Math.max(head.whole, smallSize)) {
          const next = { ...head, count: head.count + 1, size, ...this.state() };
          writes.put(piece, [name, next.count]);
          writes.put(next, [name, 0]);
          return { ...next, unversioned };
        }
      }
      return { ...this.renew(documents, writes, this.all(whole)), unversioned };
    }

    /** Whether what is kept is all of the list once a piece has come behind it. */
    isAll(whole, piece) {
      let digest;
      this.withKept(whole, (kept) => {
        joinAll(kept, piece);
        digest = kept.digest;
      });
      return digest === this.digest();
    }

    digest() {
      return hex(this.list.request(op.digest).rest());
    }

    news(version) {
      return this.list.request(op.delta, (request) => request.raw(version)).rest();
    }

    /** What the list knows, and what it says beyond that: that something was forgotten is no write. */
    state() {
      const version = this.list.request(op.version).rest();
      return { version, rest: this.news(version), digest: this.digest() };
    }

    /** Writes all that is kept anew. */
    renew(documents, writes, bytes) {
      const mark = hex(crypto.getRandomValues(new Uint8Array(8)));
      const head = { mark, count: 0, size: 0, whole: bytes.length, ...this.state() };
      documents.put(bytes, this.name);
      writes.delete(pieces(this.name));
      writes.put(head, [this.name, 0]);
      return head;
    }

    /**
     * Takes in what was read from the drive: pieces alone, or all that is kept, which comes back as one.
     * Where pieces alone are damaged, `null` comes back, for all to be read.
     */
    takeIn(saved, added, isKnown) {
      try {
        if (!saved) {
          this.waitingCount = added.reduce((count, piece) => count + this.join(piece), 0);
          return undefined;
        }
        const whole = added.length === 0 && !this.isRepairing ? saved : this.withKept(saved, (kept) => {
          for (const piece of added) joinAll(kept, piece);
          if (this.isRepairing) this.repairCount += kept.repair();
        });
        this.waitingCount = this.join(whole);
        return whole;
      } catch (error) {
        if (error.code !== "bytes") throw error;
        const damage = new BetwixtError("bytes", `what is kept under “${this.name}” is damaged (${error.message}); `
          + "keep() with onDamage keeps what is whole of it, and forget() makes room for another");
        if (!this.onDamage) throw damage;
        if (isKnown) return null;
        this.damage = damage;
        return this.rescue([saved, ...added]);
      }
    }

    /** Takes in those parts of what is kept that are whole, and gives them as one. */
    rescue(parts) {
      const whole = this.withKept(null, (kept) => {
        for (const part of parts) {
          try {
            if (part) joinAll(kept, part);
          } catch (error) {
            if (error.code !== "bytes") throw error;
          }
        }
        if (this.isRepairing) this.repairCount += kept.repair();
      });
      this.waitingCount = this.join(whole);
      return whole;
    }

    /** The list, with the writes that wait on the drive until the clock is where they were made. */
    all(whole) {
      const saved = this.list.request(op.save).rest();
      return this.waitingCount === 0 ? saved : this.withKept(whole, (kept) => joinAll(kept, saved));
    }

    /** Bytes of what is kept, of nothing if there are none, once something was done with it. */
    withKept(bytes, body) {
      const { engine, id } = this.list;
      const kept = bytes ? engine.read(bytes) : engine.list({ id });
      try {
        body(kept);
        return kept.save();
      } finally {
        kept.close();
      }
    }

    /** Takes in what is kept; how much of it waits. */
    join(bytes) {
      const { list } = this;
      const before = this.digest();
      const reader = list.request(op.merge, (request) => request.run(bytes));
      const changes = reader.changes();
      this.noteAnswer(before);
      this.joined = this.digest();
      // Also what is not seen: sessions tell it, and what a removal hides is told.
      if (!list.isClosed && this.joined !== before) list.changed(changes, this);
      return reader.number();
    }

    /**
     * Whoever was told of what came in may have answered it: then no piece has all that is new, and the
     * list has another digest than it had when it was told.
     */
    noteAnswer(digest) {
      if (this.joined !== null && this.joined !== digest) this.isAnswered = true;
    }

    /** Ends when all is on the drive; what is written later is not kept. */
    async close() {
      while (this.running || this.isDirty) await (this.running ?? this.save());
      this.leave();
    }

    leave() {
      globalThis.removeEventListener?.("pageshow", this.returning);
      this.disconnect();
      this.isLeft = true;
      if (this.list.storage === this) this.list.storage = null;
    }
  }

  /** Joins also what the clock does not allow yet. */
  function joinAll(list, bytes) {
    list.ask(op.joinAll, (request) => request.run(bytes));
  }

  Object.assign(Betwixt, { Error: BetwixtError, List, Session, operations: op, Writer, Reader });
  globalThis.Betwixt = Betwixt;
})();
