/**
 * The windows of one browser that may hold a stream. By HTTP/1.1 a browser opens only six connections to a host for all
 * its windows, so the others poll. Hidden windows hold none.
 */
const SLOTS = 4

/** Takes a slot and returns what releases it; null if all are taken. Where browsers have no locks, slots are unlimited. */
export async function takeSlot(): Promise<(() => void) | null> {
  // Browsers have them only over https and on localhost.
  if (!('locks' in navigator)) return () => {}
  for (let slot = 0; slot < SLOTS; slot++) {
    const release = await takeLock(`soundline-live-${slot}`)
    if (release) return release
  }
  return null
}

/** The browser releases the locks of a page that is closed. */
function takeLock(name: string): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    const held = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (lock) return new Promise<void>((release) => resolve(release))
      resolve(null)
    })
    held.catch(() => resolve(null))
  })
}
