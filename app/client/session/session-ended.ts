/** Called when the server says that the session has ended. Returns whether the page asks the member to sign in again. */
type Handler = () => boolean

const handlers = new Set<Handler>()

/** Lets a page with unsaved work ask for a sign-in in place. Returns a function that removes the handler. */
export function onSessionEnded(handler: Handler): () => void {
  handlers.add(handler)
  return () => handlers.delete(handler)
}

let isSigningOut = false

/** While the member signs out, refused requests of the page being left ask for no sign-in. */
export function setSigningOut(value: boolean): void {
  isSigningOut = value
}

/** Asks for a sign-in in place if a page handles that, otherwise opens the sign-in page. */
export function handleEndedSession(): void {
  if (isSigningOut || window.location.pathname === '/sign-in') return
  if ([...handlers].some((handler) => handler())) return
  const next = window.location.pathname + window.location.search
  window.location.assign(`/sign-in?next=${encodeURIComponent(next)}`)
}
