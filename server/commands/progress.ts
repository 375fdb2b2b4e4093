const INTERVAL_MS = 5_000

/** Returns a function that prints the latest progress of a long command every five seconds. */
export function createProgress(print: (text: string) => void = console.log): (text: string) => void {
  let printedAt = performance.now()
  return (text) => {
    if (performance.now() - printedAt < INTERVAL_MS) return
    printedAt = performance.now()
    print(text)
  }
}
