// The network between the devices of the page: bytes arrive in order and late, or the connection
// is cut and made again.

// How long a connection that was cut is away, and at most one that always ends anew.
const [shortPause, longPause] = [400, 30_000];

class Wire {
  constructor(page, left, right) {
    Object.assign(this, { page, left, right, isCut: false });
    this.start = performance.now();
    this.arrival = 0;
    this.ends = [];
    this.ends.push(this.end(left, () => this.ends[1]));
    // What the first end says at once arrives when the second is there.
    this.ends.push(this.end(right, () => this.ends[0]));
  }

  end(device, peer) {
    const way = [];
    return device.list.session({
      send: (bytes) => this.carry(bytes, way, peer),
      onSynced: () => this.page.showState(),
      onClose: () => this.cut(true),
    });
  }

  carry(bytes, way, peer) {
    this.page.wireBytes += bytes.length;
    if (this.isCut) return;
    if (Math.random() * 100 < this.page.loss) return this.lose();
    const now = performance.now();
    this.arrival = Math.max(this.arrival, now + this.page.delay);
    // Of two timers for one moment the later may be the first, where a timer has started the other.
    way.push(bytes);
    setTimeout(() => {
      const next = way.shift();
      if (!this.isCut) peer().receive(next);
      this.page.showState();
    }, this.arrival - now);
  }

  /** A packet is lost and does not come again: whoever waits for it starts anew. */
  lose() {
    this.page.lostCount += 1;
    setTimeout(() => this.cut(), 0);
  }

  /** Ends it; where a session has ended by itself it is tried again less and less often. */
  cut(hasEnded = false) {
    if (this.isCut) return;
    this.isCut = true;
    for (const session of this.ends) session.cut();
    this.page.wires.delete(this);
    const wait = hasEnded ? this.page.pause(performance.now() - this.start) : shortPause;
    setTimeout(() => this.page.connect(), wait);
  }
}
