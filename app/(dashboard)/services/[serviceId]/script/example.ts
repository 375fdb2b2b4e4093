/** Something to begin from: one call, what must hold, and what should. */
export const EXAMPLE = `// What a service asks for, and what has to come back.
get("https://example.com/", { timeout: { ms: 10000 } })
.expect(status: 200)
.check(totalDelayMs: 2000)
`
