// Types of betwixt.js, which puts `Betwixt` into the global scope.

/**
 * What a field holds.
 *
 * A whole `number` below 2^53 and every `bigint` are kept as integers of 64 bits; a `bigint` that has
 * more is refused with the code `edit`. Any other `number` is kept as a `Double`, those from 2^53 on
 * too. Integers are read as a `number` below 2^53, and as a `bigint` from there on.
 */
export type Value = string | number | bigint | boolean | Uint8Array;

/** Bytes: an `ArrayBuffer`, or any view of one; those that were transferred are refused with the code `bytes`. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/**
 * Bytes that are the caller's own. Since TypeScript 5.7 a type says so, which a WebSocket and a `Blob` ask
 * for; before, it is `Uint8Array`.
 */
export type OwnBytes = ReturnType<Uint8Array["slice"]>;

/**
 * Fields by their names; `null` clears one, and so does `undefined`.
 *
 * Half of a character, as `"👍".slice(0, 1)` gives it, is written as U+FFFD, as everywhere where a text
 * leaves a page.
 *
 * What is read are plain objects, and a field of any name is a property of its own, `__proto__` too. To
 * write that one, say `{ ["__proto__"]: value }`: without the brackets JavaScript makes no property.
 */
export type Fields = Record<string, Value | null | undefined>;

/**
 * The number of a section, an integer of 64 bits: a `number` below 2^53, and a `bigint` from there on. Tasks
 * without a date stand in one of those.
 */
export type Section = number | bigint;

/** An item: its id of 32 hexadecimal digits, the section it stands in, and its fields. */
export interface Item {
  id: string;
  section: Section;
  fields: Record<string, Value>;
}

/** Where an item is to stand; at the end of section 0 if nothing is said. */
export type Target =
  | { at?: number; section?: Section }
  | { before: string }
  | { after: string };

/** What was written of an item; the id of the list's own fields is 32 zeros. */
export interface Register {
  id: string;
  /** The name of the field. */
  field: string;
  /** There where `field` names none: `position`, `life`, or a kind that is newer than this file. */
  register?: true;
}

/** What a merge or an undo changed. Indices are those before and after all of it. */
export interface Changes {
  removed: { id: string; oldIndex: number }[];
  inserted: { id: string; newIndex: number }[];
  moved: { id: string; oldIndex: number; newIndex: number }[];
  updated: { id: string; newIndex: number; fields: string[] }[];
  metadata: string[];
  /**
   * Writes made at the same time of which one had to lose; the values only of fields. Whoever merges both
   * first is told: behind a hub that is often not the one whose write lost.
   */
  conflicts: (Register & { lostHere: boolean; loser?: Value | null; winner?: Value | null })[];
  /** Items that were edited here and removed elsewhere, or the reverse. */
  hiddenEdits: string[];
  /** Of `merge`: writes that were not taken in, in words. */
  withheld?: string[];
}

/** What the engine refused; nothing was changed. */
export interface BetwixtError extends Error {
  /**
   * `edit`: this cannot be written; `bytes`: these are damaged, or none; `list`: they are of another
   * list; `limit`: there is too much of something; `id` and `number`: this is none; `handle`: the list
   * is closed; `request`: there is no such request, or it lacks something; `storage`: there is none here,
   * or it refuses, and then `cause` is its own error;
   * `file`, `files`, `format` and `event`: of trips; `engine`: the engine has stopped, or cannot be loaded.
   */
  code: string;
}

/** Writes that one side did not take in. */
export interface Refusal {
  /** Whether the peer refused writes of this list; otherwise this list did not take what came. */
  byPeer: boolean;
  /** Whether another session offers them again, as when a clock was ahead. */
  isDeferred: boolean;
  /** Why, for people. */
  reason: string;
  writes: Register[];
}

/** What these throw is told as an error that nobody caught, and disturbs nothing. */
export interface SessionOptions {
  /**
   * Sends bytes to the peer, in order: a WebSocket, a data channel, a port. If it throws, the session
   * is cut.
   */
  send: (bytes: OwnBytes) => void;
  /** Whether it goes on after both sides are equal; `true` unless said. */
  live?: boolean;
  /**
   * Both lists were compared to the end, as at the start of each session: both sides hold the same, but
   * for what `onRefused` told before. Those writes are only where they were made. The digest is that of
   * this list, so the sides have different ones if something was refused.
   */
  onSynced?: (digest: string) => void;
  /** One side did not take some writes in. */
  onRefused?: (refusal: Refusal) => void;
  /** It is over, also when the engine has stopped; the reason is empty for an end in order. */
  onClose?: (reason: string) => void;
}

export interface Session {
  /** Takes bytes that came from the peer. */
  receive(bytes: Bytes): void;
  /** Says that the connection is gone. */
  cut(): void;
  /** Ends in order. */
  end(): void;
  readonly isClosed: boolean;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

/**
 * A list that is shared with other tabs; a page that comes back by Back shares it again.
 *
 * A conversation that breaks off, as when a tab stood still for two minutes or a save failed, begins
 * again after a pause, which grows to 30 s where it does not last.
 */
export interface Link {
  /** With how many tabs there is a conversation. */
  readonly peerCount: number;
  close(): void;
}

/** Where a list is kept. */
export interface Storage {
  /** Ends when the list is on the drive; throws if it cannot be. */
  save(): Promise<void>;
  /** Ends when all is on the drive; what is written later is not kept. */
  close(): Promise<void>;
  /** Why the last save failed; `null` if it did not. */
  readonly failure: BetwixtError | null;
  /**
   * How many writes are on the drive and not shown, because the clock was ahead when they were made; they
   * wait until it is there, or for `repairClock`.
   */
  readonly waitingCount: number;
}

/** A day of a trip, or what stands on it; `storedOn` is its own day, where the trip has no such day. */
export type Row =
  | { day: number; date?: string }
  | { id: string; kind: string; title?: string; time?: string; place?: string; storedOn?: string };

/** What a page that drags is to do; “Writing a front end” in the documentation of BetwixtDrag. */
export interface DragAnswer {
  effects: { effect: string; [name: string]: unknown }[];
  isIdle: boolean;
  lifted: [x: number, y: number, width: number, height: number] | null;
  dragged: string | null;
}

export interface List {
  /** 32 hexadecimal digits, the same on every device. */
  readonly id: string;
  /** Who writes here: 16 hexadecimal digits, drawn anew whenever a list is opened. */
  readonly replica: string;
  /** The same array until the next change, and frozen: `[...list.items]` can be sorted. */
  readonly items: readonly Item[];
  readonly removed: Item[];
  readonly length: number;
  readonly metadata: Record<string, Value>;
  /** 64 hexadecimal digits: equal exactly where two lists hold the same. */
  readonly digest: string;
  readonly version: OwnBytes;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Of a list that was opened from files: what is to be said of them. */
  readonly report: string[];
  /** Where it is kept; `null` if it is not. */
  readonly storage: Storage | null;

  /** The items from an index to before another; to the end unless said. Below 0 they count from the end. */
  slice(start?: number, end?: number): Item[];
  item(id: string): Item | undefined;
  indexOf(id: string): number;

  /** Adds an item and returns its id. */
  insert(fields?: Fields, target?: Target): string;
  /** Moves an item; `at` counts in its section as it is before. */
  move(id: string, target?: Target): void;
  set(id: string, fields: Fields): void;
  setMetadata(fields: Fields): void;
  remove(id: string): void;
  restore(id: string): void;
  /** Takes back the newest own step, as far as nobody has written there since. */
  undo(): { name: string; kept: string[]; changes: Changes } | null;
  redo(): { name: string; kept: string[]; changes: Changes } | null;

  /** The writes beyond a version of another copy, all without one. */
  delta(since?: Bytes): OwnBytes;
  /** Joins what `delta` or `save` of another copy gave. */
  merge(bytes: Bytes): Changes;
  /** All of the list: a `.trip` file. */
  save(): OwnBytes;
  /**
   * Makes again, at the present time, what was written while the clock was ahead, here or in what is
   * kept; gives how many writes that were.
   *
   * `onRefused` tells of such writes: `byPeer` and `isDeferred`. Nobody else takes them in before their
   * time, and of what they are of nothing newer either. Call this once the clock is right, in each tab
   * that has the list open. The list has another `replica` then, its sessions are cut, and what was done
   * before cannot be taken back.
   */
  repairClock(): Promise<number>;

  /**
   * Calls back after every change, with `null` for an edit of this list itself.
   *
   * What a listener throws is told as an error that nobody caught; the edit is made, and the others are
   * called. A listener may edit; one that answers each of its own edits with another is refused the 65th.
   */
  subscribe(listener: (changes: Changes | null) => void): () => void;
  session(options: SessionOptions): Session;
  /** Shares the list with all tabs of this origin under a name. */
  share(name: string, options?: Pick<SessionOptions, "onSynced" | "onRefused">): Link;
  /**
   * Keeps the list in IndexedDB, after joining what is there under the name. If this throws, nothing is
   * kept. An edit writes what is new, some hundred bytes, and not the list.
   *
   * What is there and damaged is refused with the code `bytes`. With `onDamage` those parts of it that are
   * whole are taken in, also what waits for its time, and all is written anew; then it is told, with an
   * error that says where the damage was. A list that is open writes on meanwhile.
   *
   * `onError` is told when a later save fails; without it that is an error that nobody caught. The next
   * edit tries it again.
   */
  keep(name: string, options?: {
    onError?: (error: BetwixtError) => void, onDamage?: (error: BetwixtError) => void
  }): Promise<Storage>;
  /**
   * Ends the sessions and all sharing, and then with what was written on the drive, where the list is
   * kept. From the call on the list answers nothing but the code `handle`. If it cannot be kept, this
   * throws, and the list is open still. Where the engine has stopped it is closed all the same; this
   * throws then if something had not come to the drive.
   */
  close(): Promise<void>;

  // Only with betwixt-trips.wasm; other engines refuse these with the code `request`.

  /**
   * The days of a trip and what stands on them, as a page shows them. A list of tasks, whose `metadata.type`
   * is `"tasks"`, has tabs in place of days, which are not in here; `items` has all of it.
   */
  readonly rows: { name: string; rows: Row[] };
  /** A file of the format with an ending (`trip`, `json`, `ics`, `csv`, `md`, `gpx`), and what it leaves out. */
  export(ending: string): { bytes: OwnBytes; omissions: string };
  /** What merges lost since this was asked last, in words; the devices are called so. */
  losses(here: string, there: string): string[];
  startDrags(options?: { reduceMotion?: boolean }): DragAnswer;
  /** Tells the engine of drags an event. */
  event(event: { event: string; [name: string]: unknown }): DragAnswer;
  /** The button of the last message was pressed. */
  pressToast(): DragAnswer;
  /** What can be done with an item, as words of BetwixtDrag. */
  actions(id: string): string[];
}

export interface Engine {
  list(options?: { id?: string }): List;
  /** The list of what `save` gave. */
  read(bytes: Bytes): List;
  /** The names under which lists are kept in this origin's IndexedDB. */
  keptNames(): Promise<string[]>;
  /**
   * What is kept under a name, for who looks after damage: `merge` takes each part of it, in any order. The
   * first is the list as it was saved once, and what was written since is in the others. Nothing is kept
   * where there is none.
   */
  keptBytes(name: string): Promise<OwnBytes[]>;
  /**
   * Deletes what is kept under a name: for good, whoever wrote it. Close the lists that keep it first, in
   * every tab: the next edit of one that is open writes it again, whole.
   */
  forget(name: string): Promise<void>;
  /** A random id of hexadecimal digits. */
  id(byteCount?: number): string;
  /** The list of a file of any format that is read. Only with betwixt-trips.wasm. */
  openFile(name: string, bytes: Bytes): List;
  /** Any number of files joined. Only with betwixt-trips.wasm. */
  joinFiles(files: { name: string; bytes: Bytes }[], base?: { name: string; bytes: Bytes }): List;
}

export interface BetwixtStatic {
  /** Starts the engine that is built in, or that of a URL or of bytes, which may be gzipped. */
  load(source?: string | URL | Bytes, options?: {
    now?: () => number;
    random?: (byteCount: number) => Uint8Array;
  }): Promise<Engine>;
  /** What is thrown: `error instanceof Betwixt.Error`. */
  readonly Error: {
    new (code: string, message: string, options?: { cause?: unknown }): BetwixtError;
    readonly prototype: BetwixtError;
  };
}

declare global {
  const Betwixt: BetwixtStatic;
}
