import { requestOfWords } from '../../../language/script-import/curl.ts'
import { importText, shownUrl } from '../../../language/script-import/import.ts'
import {
  ImportError,
  type ImportedRequest,
  parseUrl,
  withoutUserinfo,
} from '../../../language/script-import/request.ts'
import { type ShellCommand, shellCommands, shownWord } from '../../../language/script-import/shell.ts'
import { CHECKS_MAX, type ImportedChecks, Notes } from './checks.ts'

// What the script page of the dashboard imports too: curl, HAR and OpenAPI.

/** The most characters of a file. A recording of a browser is large. */
const FILE_MAX = 100_000_000

/** Words that can precede a command without changing its request. */
const BEFORE = /^(if|while|until|then|else|elif|do|time|sudo|exec|command|\{|[A-Za-z_]\w*=[\s\S]*)$/

const END = /^(fi|done|esac|\}|)$/

/** Reads a file with one or more curl commands: each becomes a service. @throws ImportError */
export function importCurl(text: string): ImportedChecks {
  const notes = new Notes()
  const checks: ImportedChecks['checks'] = []
  const others: string[] = []
  let piped = false
  for (const given of shellCommands(text)) {
    const start = given.words.findIndex((word) => !BEFORE.test(word))
    const command = start < 0 ? given : { ...given, words: given.words.slice(start) }
    if (command.words.includes('curl')) addCommand(command, checks, notes, piped)
    // What follows `||` or a pipe belongs to the command before it.
    else if (!piped && !END.test(command.words[0] ?? '')) others.push(nameOfCommand(command))
    piped = given.end === '|' || given.end === '||'
  }
  if (checks.length === 0 && notes.all.length === 0) throw new ImportError('There is no command that starts with curl.')
  if (others.length > 0) {
    const what = `${others.length} other commands: ${[...new Set(others)].join(', ')}`.slice(0, 200)
    notes.add('all', what, 'Only curl commands become checks.', 'Check what they did for the requests.')
  }
  return { format: 'curl', checks, variables: {}, notes: notes.all }
}

function addCommand(command: ShellCommand, checks: ImportedChecks['checks'], notes: Notes, isPiped: boolean): void {
  try {
    if (checks.length === CHECKS_MAX) throw new ImportError(`An import has at most ${CHECKS_MAX} checks.`)
    if (command.problem) throw new ImportError(command.problem)
    if (command.words[0] !== 'curl') throw new ImportError(`The command starts with ${nameOfCommand(command)}.`)
    if (command.end === '|' || isPiped)
      throw new ImportError('Another program reads its output or decides whether it runs.')
    const request = withoutUserinfo(requestOfWords(command.words))
    checks.push(checkOf(nameOf(request), request, notes))
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    notes.add(nameOfBroken(command), 'the command', error.message, 'Write the script by hand.')
  }
}

/** Without options, queries and users, which may hold credentials. */
function nameOfBroken({ words }: ShellCommand): string {
  const url = words.map(shownWord).find((word) => /^(https?:|\$)|^[\w.-]+\.\w+(:\d+)?\//.test(word)) ?? ''
  return `curl ${url.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//')}`.trim().slice(0, 80)
}

/** The name of a program, or of a variable without its value. */
function nameOfCommand({ words }: ShellCommand): string {
  return shownWord(words[0] ?? '')
    .replace(/=[\s\S]*$/, '=')
    .slice(0, 40)
}

/** A HAR file is a recording, so that all its requests become one service. @throws ImportError */
export function importHar(text: string): ImportedChecks {
  const { format, choices, notes: found } = importText(text, FILE_MAX)
  if (format !== 'HAR') throw new ImportError('This is not a HAR file.')
  const notes = new Notes()
  const given = choices.map(({ request }) => request())
  const [first] = given
  const name = notes.nameOf(first ? `${hostOf(first)} recording` : 'recording')
  const requests = given.map((request) => noted(name, request, notes))
  const isActive = notes.isSwitchedOn(name, requests)
  notes.add(name, 'images, styles, scripts and fonts', 'A probe loads no pages.', 'Nothing.')
  for (const { what, why, todo } of found) notes.add(name, what, why, todo)
  return { format, checks: [{ name, isActive, requests }], variables: {}, notes: notes.all }
}

/** Each operation becomes a service. @throws ImportError */
export function importOpenApi(text: string): ImportedChecks {
  const { format, choices, notes: found } = importText(text, FILE_MAX)
  if (format !== 'OpenAPI') throw new ImportError('This is not an OpenAPI document.')
  const notes = new Notes()
  for (const { what, why, todo } of found) notes.add('all', what, why, todo)
  const checks = choices.map(({ label, request }) => checkOf(label, request(), notes))
  return { format, checks, variables: {}, notes: notes.all }
}

function checkOf(given: string, request: ImportedRequest, notes: Notes) {
  const name = notes.nameOf(given)
  const requests = [noted(name, request, notes)]
  return { name, isActive: notes.isSwitchedOn(name, requests), requests }
}

/** Adds the notes of a request to its check. */
function noted(check: string, { notes: found = [], ...request }: ImportedRequest, notes: Notes): ImportedRequest {
  for (const { what, why, todo, isLaxer } of found) {
    if (isLaxer) notes.lose(check, what, why, todo)
    else notes.add(check, what, why, todo)
  }
  return request
}

function nameOf(request: ImportedRequest): string {
  const shown = shownUrl(request)
  const path = parseUrl(shown)?.pathname
  const place = path === undefined ? shown.replace(/[?#].*$/s, '') : `${hostOf(request)}${path === '/' ? '' : path}`
  return `${request.method.toUpperCase()} ${place}`
}

function hostOf({ url }: ImportedRequest): string {
  return parseUrl(url)?.host ?? 'unknown host'
}
