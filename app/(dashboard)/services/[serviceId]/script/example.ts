/** A first script: one call with one condition that must hold and one that should. */
export const EXAMPLE = `// The request and the expected response.
get("https://example.com/", { timeout: { ms: 10000 } })
.expect(status: 200)
.check(totalDelayMs: 2000)
`
