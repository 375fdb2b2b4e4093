import { listOf, type Node, nodeOf, textOf } from '../../../language/script-import/nodes.ts'
import type { ImportedRequest } from '../../../language/script-import/request.ts'
import type { Notes } from './checks.ts'
import { ANY_STATUS, contains, stringLiteral } from './conditions.ts'

// Tests of Postman are programs. A few common lines of them can be read; everything else is a note.

type Script = { listen: string; text: string }

/** The scripts of an item, a folder or a collection, without their comments. */
export function scriptsOf(item: Node): Script[] {
  return listOf(item.event)
    .map(nodeOf)
    .filter(({ disabled }) => disabled !== true)
    .flatMap(({ listen, script }) => {
      const { exec } = nodeOf(script)
      const text = withoutComments(Array.isArray(exec) ? exec.join('\n') : textOf(exec)).trim()
      return text === '' ? [] : [{ listen: textOf(listen), text }]
    })
}

/** Strings are matched first, because they may have the signs of a comment. */
function withoutComments(program: string): string {
  const parts = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g
  return program.replaceAll(parts, (_, string: string | undefined) => string ?? ' ')
}

/** `pm.expect(SUBJECT).to.VERB(ARGUMENT)`, with nothing after it in its statement. */
const EXPECTATION =
  /pm\.expect\(\s*([A-Za-z_][\w.]*(?:\(\)[\w.]*)?)\s*\)\.to\.(\w+(?:\.\w+)*)(?:\(\s*([^()\n]*?)\s*\))?(?=\s*(?:[;)},\n]|$))/g
const STATUS = /pm\.response\.to\.have\.status\(\s*(\d{3})\s*\)/g
const OLD_STATUS = /tests\[[^\]\n]*\]\s*=\s*responseCode\.code\s*={2,3}\s*(\d{3})\b/g
const OK = /pm\.response\.to\.be\.ok\b/g
const SUCCESS = /pm\.response\.to\.be\.success\b/g
/** The whole body, and no part of it. */
const PARSED =
  /(?:const|let|var)\s+(\w+)\s*=\s*(?:pm\.response\.json\(\)|JSON\.parse\(\s*(?:responseBody|pm\.response\.text\(\))\s*\))(?!\s*[.[?])/g
/** Text that looks like an assertion. */
const ASSERTION = /pm\.expect\s*[(.]|pm\.response\.to\b|\btests\[|\bassert\b\s*[(.]|pm\.response\.(?:to\.)?not\b/g

/** What a test does for later requests. */
const EFFECT =
  /\b(?:pm\.(?:environment|collectionVariables|globals|variables)\.(?:set|unset|clear)|postman\.(?:set|clear)\w+|pm\.(?:sendRequest|setNextRequest)|pm\.execution\.\w+)\s*\(/

const SUCCEEDS = 'this.status gte 200 and this.status lte 299'

/** What one assertion wants: one of these statuses, or a condition. */
type Wanted = { statuses: number[] } | { condition: string }

function wantedBy(program: string): Wanted[] {
  const names = new Set([...program.matchAll(PARSED)].map(([, name = '']) => name))
  const statuses = [...program.matchAll(STATUS), ...program.matchAll(OLD_STATUS)].map(([, code]) => [Number(code)])
  const ok = [...program.matchAll(OK)].map(() => [200])
  return [
    ...[...statuses, ...ok].map((codes) => ({ statuses: codes })),
    ...[...program.matchAll(SUCCESS)].map(() => ({ condition: SUCCEEDS })),
    ...[...program.matchAll(EXPECTATION)].flatMap(
      ([, subject = '', verb = '', argument = '']) => expected(subject, verb, argument, names) ?? [],
    ),
  ]
}

const EQUAL = /^(eql|equals?|eq|be\.eql|be\.equal)$/

/** Null for an assertion that cannot be read. */
function expected(subject: string, verb: string, argument: string, names: Set<string>): Wanted | null {
  switch (subject) {
    case 'pm.response.code':
    case 'responseCode.code':
      if (EQUAL.test(verb) && /^\d{3}$/.test(argument)) return { statuses: [Number(argument)] }
      if (verb !== 'be.oneOf' || !/^\[[\d\s,]+\]$/.test(argument)) return null
      return { statuses: (argument.match(/\d+/g) ?? []).map(Number) }
    case 'pm.response.responseTime':
      if (!/^be\.(below|lessThan)$/.test(verb) || !/^\d{1,9}$/.test(argument)) return null
      return { condition: `this.responseTime lt ${argument}` }
    case 'pm.response.text()': {
      // A word is in the text of a body whether or not it is JSON.
      const [, word] = /^["']([A-Za-z][\w -]*)["']$/.exec(argument) ?? []
      return verb === 'include' && word ? { condition: contains(word) } : null
    }
    default: {
      const condition = fieldCondition(subject, verb, argument, names)
      return condition === null ? null : { condition }
    }
  }
}

/** A condition on a field of a JSON body. */
function fieldCondition(subject: string, verb: string, argument: string, names: Set<string>): string | null {
  const [, root = '', path = ''] = /^(pm\.response\.json\(\)|\w+)((?:\.[A-Za-z_]\w*)*)$/.exec(subject) ?? []
  // The length of a list is no field of the body.
  if ((!names.has(root) && root !== 'pm.response.json()') || path.endsWith('.length')) return null
  if (verb === 'have.property') {
    const [, name] = /^["']([A-Za-z_]\w*)["']$/.exec(argument) ?? []
    return name ? `this.body${path}.${name} neq null` : null
  }
  if (path === '') return null
  if (EQUAL.test(verb)) {
    const value = literalOf(argument)
    return value === null ? null : `this.body${path} eq ${value}`
  }
  if (argument !== '') return null
  if (/^be\.(true|false)$/.test(verb)) return `this.body${path} eq ${verb.slice(3)}`
  return /^(exist|not\.be\.null|not\.be\.undefined)$/.test(verb) ? `this.body${path} neq null` : null
}

/**
 * A value of JavaScript as one of the language; null for what is not a plain one, and for `null`, which a missing field
 * equals in the language.
 */
function literalOf(text: string): string | null {
  if (/^("[^"\\\n]*"|'[^'\\\n]*')$/.test(text)) return stringLiteral(text.slice(1, -1))
  return /^(\d{1,15}(\.\d{1,9})?|true|false)$/.test(text) ? text : null
}

/** What tests expect of the answer, with notes for what the scripts do beside that. */
export function expectationsOf(
  scripts: Script[],
  check: string,
  notes: Notes,
): Pick<ImportedRequest, 'status' | 'conditions'> {
  const program = scripts
    .filter(({ listen }) => listen === 'test')
    .map(({ text }) => text)
    .join('\n')
  const wanted = wantedBy(program)
  const others = (program.match(ASSERTION)?.length ?? 0) - wanted.length
  if (others > 0 || (program !== '' && wanted.length === 0)) {
    const what = others > 0 ? `${others} ${others === 1 ? 'assertion' : 'assertions'} of its tests` : 'its tests'
    notes.lose(check, what, 'They are code.', 'Add conditions to the script.')
  }
  if (EFFECT.test(program)) {
    const why = 'They set variables, or send or choose requests. Each request is a service of its own here.'
    const todo = 'Add the calls that belong together to one script, and keep responses with .store.'
    notes.add(check, 'what its tests do for other requests', why, todo)
  }
  if (scripts.some(({ listen }) => listen === 'prerequest')) {
    const todo = 'Add a call before this one, and keep its response with .store.'
    notes.add(check, 'the pre-request script', 'It is code.', todo)
  }
  const lists = wanted.flatMap((one) => ('statuses' in one ? [one.statuses] : []))
  const conditions = wanted.flatMap((one) => ('condition' in one ? [one.condition] : []))
  const [first] = lists
  if (first) {
    // All of them must hold, so that what is in each list is left.
    const common = first.filter((code) => lists.every((list) => list.includes(code)))
    if (common.length === 0) {
      const why = 'The tests have no status in common. The script expects the first.'
      notes.lose(check, 'the statuses of its tests', why, 'Check the status.')
    }
    return { status: statusOf(common.length > 0 ? common : first), conditions }
  }
  if (conditions.includes(SUCCEEDS)) return { status: ANY_STATUS, conditions }
  notes.add(check, 'the status', 'No readable test names a status. The script expects 200.', 'Check the status.')
  return { conditions }
}

function statusOf(codes: number[]): number | string {
  return codes.length === 1 ? (codes[0] as number) : `[${codes.join(', ')}]`
}
