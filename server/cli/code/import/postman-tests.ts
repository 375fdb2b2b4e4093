import { listOf, type Node, nodeOf, textOf } from '#server/script-import/nodes.ts'
import type { ImportedRequest } from '#server/script-import/request.ts'
import type { Notes } from './checks.ts'

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
/** What looks like an assertion. */
const ASSERTION = /pm\.expect\s*[(.]|pm\.response\.to\b|\btests\[|\bassert\b\s*[(.]|pm\.response\.(?:to\.)?not\b/g

/** What the scripts expect of the answer, with notes for what they do beside that. */
export function expectationsOf(
  scripts: Script[],
  check: string,
  notes: Notes,
): Pick<ImportedRequest, 'status' | 'conditions'> {
  const program = scripts
    .filter(({ listen }) => listen === 'test')
    .map(({ text }) => text)
    .join('\n')
  const statuses = STATUSES.flatMap((pattern) => [...program.matchAll(pattern)].map(([, codes = '']) => codes))
  const times = [...program.matchAll(TIME)].map(([, ms]) => `this.responseTime lt ${ms}`)
  const successes = program.match(SUCCESS)?.length ?? 0
  const others = (program.match(ASSERTION)?.length ?? 0) - statuses.length - times.length - successes
  if (others > 0)
    notes.add(check, `${others} assertions of its tests`, 'They are a program.', 'Add conditions to the script.')
  else if (program !== '' && statuses.length + times.length + successes === 0)
    notes.add(check, 'its tests', 'They are a program without an assertion that can be read.', 'Add conditions.')
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
  const conditions = [...times, ...(successes > 0 ? ['this.status gte 200 and this.status lte 299'] : [])]
  if (lists.length > 0) return { status: statusOf(lists), conditions }
  if (successes > 0) return { status: '{ value: 0, op: "gt" }', conditions }
  notes.add(check, 'the status', 'No test that can be read names one. The script expects 200.', 'Check the status.')
  return { conditions }
}

/** All lists must hold, so that what is in each of them is left. Where nothing is, the first one is kept. */
function statusOf([first = [], ...rest]: number[][]): number | string {
  const all = first.filter((code) => rest.every((list) => list.includes(code)))
  const codes = all.length > 0 ? all : first
  return codes.length === 1 ? (codes[0] as number) : `[${codes.join(', ')}]`
}
