import { type Step, withoutVariables } from '#server/language/builder/steps.ts'

/** Returns a script that names the origins of the steps and nothing else of them; empty when none is known. */
export function originsScript(steps: readonly Step[]): string {
  const origins = steps.flatMap(({ url }) => {
    const parsed = withoutVariables(url) === url ? URL.parse(url.trim()) : null
    return parsed && /^https?:$/.test(parsed.protocol) && parsed.hostname !== '' ? [parsed.origin] : []
  })
  return [...new Set(origins)].map((origin) => `get("${origin}/").expect(status: 200)`).join('\n')
}
