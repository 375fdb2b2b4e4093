import { listOf, type Node, nodeOf, textOf } from '#server/script-import/nodes.ts'
import type { ImportedRequest } from '#server/script-import/request.ts'
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

const CODE = String.raw`(?:pm\.response\.code|responseCode\.code)`
/** The status codes that a line expects. */
const STATUSES = [
  /pm\.response\.to\.have\.status\(\s*(\d{3})\s*\)/g,
  new RegExp(String.raw`pm\.expect\(\s*${CODE}\s*\)\.to\.(?:eql|equal|equals|be\.eql|be\.equal)\(\s*(\d{3})\s*\)`, 'g'),
  new RegExp(String.raw`pm\.expect\(\s*${CODE}\s*\)\.to\.be\.oneOf\(\s*\[([\d\s,]+)\]\s*\)`, 'g'),
  new RegExp(String.raw`tests\[[^\]\n]*\]\s*=\s*${CODE}\s*={2,3}\s*(\d{3})\b`, 'g'),
  /pm\.response\.to\.be\.(ok)\b/g,
]
const TIME = /pm\.expect\(\s*pm\.response\.responseTime\s*\)\.to\.be\.(?:below|lessThan)\(\s*(\d{1,9})\s*\)/g
const SUCCESS = /pm\.response\.to\.be\.success\b/g
const END = String.raw`(?=\s*(?:[;)},\n]|$))`
const LITERAL = String.raw`("[^"\\\n]*"|'[^'\\\n]*'|\d{1,15}(?:\.\d{1,9})?|true|false|null)`

/** Conditions on fields of a JSON body, and on words of a body. */
function bodyConditions(program: string): string[] {
  const parsed =
    /(?:const|let|var)\s+(\w+)\s*=\s*(?:pm\.response\.json\(\)|JSON\.parse\(\s*(?:responseBody|pm\.response\.text\(\))\s*\))/g
  const names = [...program.matchAll(parsed)].map(([, name]) => name)
  const body = [...new Set(names), String.raw`pm\.response\.json\(\)`].join('|')
  const expected = (path: string, rest: string) =>
    [
      ...program.matchAll(new RegExp(String.raw`pm\.expect\(\s*(?:${body})${path}\s*\)\.to\.${rest}${END}`, 'g')),
    ].filter(
      // The length of a list is no field of the body.
      ([, field = '']) => !/\.length$/.test(field),
    )
  const field = String.raw`((?:\.[A-Za-z_]\w*)+)`
  const equal = String.raw`(?:eql|equal|equals|eq|be\.equal|be\.eql)\(\s*${LITERAL}\s*\)`
  return [
    ...expected(field, equal).map(([, path, value = '']) => `this.body${path} eq ${literalOf(value)}`),
    ...expected(field, 'be\\.(true|false|null)').map(([, path, value]) => `this.body${path} eq ${value}`),
    ...expected(field, '(?:exist|not\\.be\\.(?:null|undefined))').map(([, path]) => `this.body${path} neq null`),
    ...expected(`${field}?`, String.raw`have\.property\(\s*["']([A-Za-z_]\w*)["']\s*\)`).map(
      ([, path = '', name]) => `this.body${path}.${name} neq null`,
    ),
    // A word is in the text of a body whether or not it is JSON.
    ...[
      ...program.matchAll(
        new RegExp(
          String.raw`pm\.expect\(\s*pm\.response\.text\(\)\s*\)\.to\.include\(\s*["']([A-Za-z][\w -]*)["']\s*\)${END}`,
          'g',
        ),
      ),
    ].map(([, word = '']) => contains(word)),
  ]
}

function literalOf(text: string): string {
  return /^["']/.test(text) ? stringLiteral(text.slice(1, -1)) : text
}

/** What looks like an assertion. */
const ASSERTION = /pm\.expect\s*[(.]|pm\.response\.to\b|\btests\[|\bassert\b\s*[(.]|pm\.response\.(?:to\.)?not\b/g

/** What tests expect of the answer. `isComplete` is false when an assertion of theirs cannot be read. */
export type Expectations = { expected: Pick<ImportedRequest, 'status' | 'conditions'>; isComplete: boolean }

/** Adds notes for what the scripts do beside that. */
export function expectationsOf(scripts: Script[], check: string, notes: Notes): Expectations {
  const program = scripts
    .filter(({ listen }) => listen === 'test')
    .map(({ text }) => text)
    .join('\n')
  const statuses = STATUSES.flatMap((pattern) => [...program.matchAll(pattern)].map(([, codes = '']) => codes))
  const times = [...program.matchAll(TIME)].map(([, ms]) => `this.responseTime lt ${ms}`)
  const fields = bodyConditions(program)
  const successes = program.match(SUCCESS)?.length ?? 0
  const read = statuses.length + times.length + fields.length + successes
  const others = Math.max((program.match(ASSERTION)?.length ?? 0) - read, 0)
  const isComplete = others === 0 && (program === '' || read > 0)
  if (!isComplete) {
    const what = others > 0 ? `${others} assertions of its tests` : 'its tests'
    const why = 'They are a program, so the check is switched off.'
    notes.add(check, what, why, 'Add conditions to the script, and set isActive to true.')
  }
  if (scripts.some(({ listen }) => listen === 'prerequest')) {
    const todo = 'Add a call before this one, and keep its answer with .store.'
    notes.add(check, 'the pre-request script', 'It is a program.', todo)
  }
  const lists = statuses.map((codes) =>
    codes === 'ok'
      ? [200]
      : codes
          .split(',')
          .map(Number)
          .filter((code) => code > 0),
  )
  const conditions = [...times, ...fields, ...(successes > 0 ? ['this.status gte 200 and this.status lte 299'] : [])]
  if (lists.length > 0) return { expected: { status: statusOf(lists), conditions }, isComplete }
  if (successes > 0) return { expected: { status: ANY_STATUS, conditions }, isComplete }
  notes.add(check, 'the status', 'No test that can be read names one. The script expects 200.', 'Check the status.')
  return { expected: { conditions }, isComplete }
}

/** All lists must hold, so that what is in each of them is left. Where nothing is, the first one is kept. */
function statusOf([first = [], ...rest]: number[][]): number | string {
  const all = first.filter((code) => rest.every((list) => list.includes(code)))
  const codes = all.length > 0 ? all : first
  return codes.length === 1 ? (codes[0] as number) : `[${codes.join(', ')}]`
}
