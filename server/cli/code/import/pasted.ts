import { importText } from '#server/script-import/import.ts'
import { ImportError, type ImportedRequest, parseUrl } from '#server/script-import/request.ts'
import { type ImportedChecks, Notes } from './checks.ts'

// What the script page of the dashboard imports too: curl, HAR and OpenAPI.

/** The most characters of a file. A recording of a browser is large. */
const FILE_MAX = 100_000_000

/** Reads a file with one or more curl commands: each becomes a service. @throws ImportError */
export function importCurl(text: string): ImportedChecks {
  const notes = new Notes()
  const commands = text.split(/^(?=\s*curl\s)/m).filter((command) => /^\s*curl\s/.test(command))
  if (commands.length === 0) throw new ImportError('There is no line that starts with curl.')
  const checks = commands.flatMap((command) => {
    try {
      const request = importText(withoutComments(command)).choices[0]?.request()
      return request ? [checkOf(nameOf(request), request, notes)] : []
    } catch (error) {
      if (!(error instanceof ImportError) && !(error instanceof TypeError)) throw error
      notes.add(command.trim().slice(0, 80), 'the command', error.message, 'Write the script by hand.')
      return []
    }
  })
  return { format: 'curl', checks, variables: {}, notes: notes.all }
}

/** Lines after the command that are empty or comments. */
function withoutComments(command: string): string {
  return command.replaceAll(/^\s*#.*$/gm, '').trim()
}

/** A HAR file is a recording, so that all its requests become one service. @throws ImportError */
export function importHar(text: string): ImportedChecks {
  const { format, choices } = importText(text, FILE_MAX)
  if (format !== 'HAR') throw new ImportError('This is not a HAR file.')
  const requests = choices.map(({ request }) => request())
  const notes = new Notes()
  const [first] = requests
  const name = first ? `${hostOf(first)} recording` : 'recording'
  const isActive = notes.isSwitchedOn(name, requests)
  notes.add(name, 'images, styles, scripts and fonts', 'A probe loads no pages.', 'Nothing.')
  return { format, checks: [{ name, isActive, requests }], variables: {}, notes: notes.all }
}

/** Each operation becomes a service. @throws ImportError */
export function importOpenApi(text: string): ImportedChecks {
  const { format, choices } = importText(text, FILE_MAX)
  if (format !== 'OpenAPI') throw new ImportError('This is not an OpenAPI document.')
  const notes = new Notes()
  const checks = choices.flatMap(({ label, request }) => {
    try {
      return [checkOf(label, request(), notes)]
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      notes.add(label, 'the operation', error.message, 'Write the script by hand.')
      return []
    }
  })
  return { format, checks, variables: {}, notes: notes.all }
}

function checkOf(name: string, request: ImportedRequest, notes: Notes) {
  const isActive = notes.isSwitchedOn(name, [request])
  return { name: name.slice(0, 120), isActive, requests: [request] }
}

function nameOf(request: ImportedRequest): string {
  const path = parseUrl(request.url)?.pathname ?? ''
  return `${request.method.toUpperCase()} ${hostOf(request)}${path === '/' ? '' : path}`
}

function hostOf({ url }: ImportedRequest): string {
  return parseUrl(url)?.host ?? 'unknown host'
}
