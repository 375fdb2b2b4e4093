import { type Step, withoutVariables } from '#server/language/builder/steps.ts'
import { NAME_MAX } from '#server/schemas/conventions.ts'

/** Returns a name from the host and the path of the first step: `example.com/health`. */
export function nameOfSteps([first]: readonly Step[]): string {
  const url = first ? URL.parse(withoutVariables(first.url)) : null
  if (!url) return ''
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.hostname.replace(/^www\./, '')}${decoded(path)}`.slice(0, NAME_MAX)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
