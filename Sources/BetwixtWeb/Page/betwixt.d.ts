// Types of betwixt.js, which puts `Betwixt` into the global scope.

/** What a field holds. Whole numbers are 64-bit integers; beyond 2^53 they are `bigint`. */
export type Value = string | number | bigint | boolean | Uint8Array;

/** Fields by their names; `null` clears one. */
export type Fields = Record<string, Value | null>;

/** An item: its id of 32 hexadecimal digits, the section it stands in, and its fields. */
export interface Item {
  id: string;
  section: number;
  fields: Record<string, Value>;
}

/** Where an item is to stand; at the end of section 0 if nothing is said. */
export type Target =
  | { at?: number; section?: number }
  | { before: string }
  | { after: string };

/** What a merge or an undo changed. Indices are those before and after all of it. */
export interface Changes {
  removed: { id: string; oldIndex: number }[];
  inserted: { id: string; newIndex: number }[];
  moved: { id: string; oldIndex: number; newIndex: number }[];
  updated: { id: string; newIndex: number; fields: string[] }[];
  metadata: string[];
  /** Writes made at the same time of which one had to lose. */
  conflicts: { id: string; field: string; lostHere: boolean; loser?: Value | null; winner?: Value | null }[];
  /** Items that were edited here and removed elsewhere, or the reverse. */
  hiddenEdits: string[];
  /** Of `merge`: writes that were not taken in, in words. */
  withheld?: string[];
}

/** What the engine refused; nothing was changed. */
export interface BetwixtError extends Error {
  /** `edit`, `bytes`, `list`, `limit`, `handle`, `file`, `format`, `id`, `number` or `engine`. */
  code: string;
}

export interface SessionOptions {
  /** Sends bytes to the peer, in order: a WebSocket, a data channel, a port. */
  send: (bytes: Uint8Array) => void;
  /** Whether it goes on after both sides are equal; `true` unless said. */
  live?: boolean;
  /** Both sides hold the same, with this digest. */
  onSynced?: (digest: string) => void;
  /** It is over; the reason is empty for an end in order. */
  onClose?: (reason: string) => void;
}

export interface Session {
  /** Takes bytes that came from the peer. */
  receive(bytes: Uint8Array): void;
  /** Says that the connection is gone. */
  cut(): void;
  /** Ends in order. */
  end(): void;
  readonly isClosed: boolean;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

export interface Link {
  readonly peerCount: number;
  close(): void;
}

export interface Storage {
  /** Ends when the list is on the drive; throws if it cannot be. */
  save(): Promise<void>;
}

export interface List {
  /** 32 hexadecimal digits, the same on every device. */
  readonly id: string;
  /** Who writes here: 16 hexadecimal digits, drawn anew whenever a list is opened. */
  readonly replica: string;
  readonly items: Item[];
  readonly removed: Item[];
  readonly length: number;
  readonly metadata: Record<string, Value>;
  /** 64 hexadecimal digits: equal exactly where two lists hold the same. */
  readonly digest: string;
  readonly version: Uint8Array;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Of a list that was opened from files: what is to be said of them. */
  readonly report: string[];

  slice(start: number, end: number): Item[];
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
  delta(since?: Uint8Array): Uint8Array;
  /** Joins what `delta` or `save` of another copy gave. */
  merge(bytes: Uint8Array): Changes;
  /** All of the list: a `.trip` file. */
  save(): Uint8Array;

  /** Calls back after every change, with `null` for an edit of this list itself. */
  subscribe(listener: (changes: Changes | null) => void): () => void;
  session(options: SessionOptions): Session;
  /** Shares the list with all tabs of this origin under a name. */
  share(name: string): Link;
  /** Keeps the list in IndexedDB, after joining what is there under the name. */
  keep(name: string): Promise<Storage>;
  close(): void;
}

export interface Engine {
  list(options?: { id?: string }): List;
  read(bytes: Uint8Array): List;
  /** A random id of hexadecimal digits. */
  id(byteCount?: number): string;
  /** Only with betwixt-trips.wasm. */
  openFile(name: string, bytes: Uint8Array): List;
  joinFiles(files: { name: string; bytes: Uint8Array }[], base?: { name: string; bytes: Uint8Array }): List;
}

export interface BetwixtStatic {
  /** Starts the engine that is built in, or that of a URL or of bytes. */
  load(source?: string | URL | BufferSource, options?: {
    now?: () => number;
    random?: (byteCount: number) => Uint8Array;
  }): Promise<Engine>;
}

declare global {
  const Betwixt: BetwixtStatic;
}
