import { globSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AST_VERSION, type Script } from '#server/language/lace/ast.ts'
import { parseScript } from '#server/language/lace/parser.ts'
import { printExpression } from '#server/language/lace/print/expression.ts'
import { printScript } from '#server/language/lace/print/print.ts'
import { referencesOf } from '#server/language/lace/references.ts'
import { validateScript } from '#server/language/lace/validator.ts'
import { anyString } from '#test/support/any-string.ts'
import { SEED } from '#test/support/seed.ts'
import { astProblem, resultProblem } from './conformance/schemas.ts'
import { expr, script, withValidCalls } from './generated.ts'
import { answerJson, run, startTarget } from './server.ts'

/** `CASES=4` generates that many times as many scripts and mutations. */
const CASES = Number(process.env.CASES ?? 1)
/** Long, for a busy machine. */
const TEST_TIMEOUT_MS = 600_000
const SCOPES = ['o', 'w', 'p', 's']
const TOKENS = [
  ...'(){}[].,:"\\$+-*/%<>=!\'\n\t \u0000\u{1F600}0123456789',
  '\uD800',
  'not ',
  ' eq ',
  '.expect(',
  'get("',
  '$$',
  '${',
  '//',
]

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
/** Trees mostly have their keys in the same order. Comparing their texts costs less than comparing them. */
const isSameTree = (a: unknown, b: unknown) =>
  JSON.stringify(a) === JSON.stringify(b) || isDeepStrictEqual(plain(a), plain(b))

/** Mutates a script: removes, doubles and moves pieces, and inserts tokens. */
function mutate(source: string, seed: number): string {
  let state = seed >>> 0
  const below = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  let text = source
  for (let step = below(6); step >= 0; step--) {
    const at = below(text.length + 1)
    const end = Math.min(text.length, at + below(20))
    const piece = text.slice(at, end)
    const kind = below(4)
    if (kind === 0) text = text.slice(0, at) + text.slice(end)
    else if (kind === 1) text = text.slice(0, end) + piece + text.slice(end)
    else if (kind === 2) text = text.slice(0, at) + TOKENS[below(TOKENS.length)]! + text.slice(at)
    else text = text.slice(0, at) + text.slice(end) + piece
  }
  return text
}

/** Of so many mutations, one changes a whole script and the others its pieces. */
const WHOLE_EVERY = 6

/**
 * Returns each field of the configurations and each method of the chains as a script of its own. Reading a script costs
 * by its length, so a mutation of a piece costs a fraction of one of the whole, and hits what it mutates more often.
 */
function piecesOf({ version, calls }: Script): string[] {
  return calls
    .flatMap(({ method, url, config, chain }) => [
      ...Object.entries(chain).map(([name, value]) => ({ method, url, chain: { [name]: value } })),
      ...Object.entries(config ?? {}).map(([name, value]) => ({
        ...{ method, url, config: { [name]: value } },
        chain: { wait: 1 },
      })),
    ])
    .map((call) => printScript({ version, calls: [call] }))
}

/**
 * Runs everything that reads scripts on a script that may be broken. Without `expect`, which would be too slow here.
 */
function readAll(source: string): 'whole' | 'broken' {
  const { ast, errors } = parseScript(source)
  if ((ast === null) !== errors.length > 0) throw new Error('there must be either a tree or errors')
  const platform = source.length % 2 === 0
  const checked = validateScript(
    source,
    platform ? { scopes: SCOPES, variables: { s: ['base'] }, hasPrev: true } : { variables: ['base'], maxRedirects: 3 },
  )
  for (const { code, detail, line, column } of [...errors, ...checked.errors, ...checked.warnings]) {
    const placed = code === 'HIGH_CALL_COUNT' ? line === null : line! > 0 && column! > 0
    if (detail === '' || !placed) throw new Error(`${code} without detail or position`)
  }
  if (ast === null) return 'broken'
  if (!isSameTree(parseScript(printScript(ast)).ast, ast))
    throw new Error(`printing and parsing changes the tree: ${source}`)
  referencesOf(ast, SCOPES)
  return 'whole'
}

describe('generated scripts', () => {
  test(
    'print and parse give the same tree, and 6,000 mutations of them crash nothing',
    () => {
      const count = { whole: 0, broken: 0 }
      fc.assert(
        fc.property(script, fc.array(fc.nat(2 ** 32 - 1), { minLength: 24, maxLength: 24 }), (ast, seeds) => {
          const source = printScript(ast)
          const { ast: read, errors } = parseScript(source)
          if (read === null) throw new Error(errors[0]!.detail)
          if (!isSameTree(read, ast)) throw new Error('printing and parsing changes the tree')
          if (printScript(read) !== source) throw new Error('printing is not stable')
          const pieces = piecesOf(ast)
          for (const [i, seed] of seeds.entries()) {
            const mutated = i % WHOLE_EVERY === 0 ? source : (pieces[i % pieces.length] as string)
            count[readAll(mutate(mutated, seed))]++
          }
        }),
        { numRuns: 250 * CASES, seed: SEED },
      )
      expect(count.whole + count.broken).toBe(6_000 * CASES)
      expect(count.whole).toBeGreaterThan(250 * CASES)
    },
    TEST_TIMEOUT_MS,
  )

  test(
    'mutations of the vectors crash nothing',
    () => {
      const directory = new URL('vectors', import.meta.url).pathname
      const sources = globSync('**/*.json', { cwd: directory }).map((file) => {
        return JSON.parse(readFileSync(`${directory}/${file}`, 'utf8')).input.source as string
      })
      let read = 0
      for (const source of sources) {
        for (let seed = 0; seed < 45 * CASES; seed++, read++) readAll(mutate(source, seed * 7919 + source.length))
      }
      expect(read).toBe(154 * 45 * CASES)
    },
    TEST_TIMEOUT_MS,
  )

  test('any string crashes nothing', () => {
    const pieces = fc.array(fc.oneof(fc.constantFrom(...TOKENS, 'get', 'this', 'expect', 'a', '1'), anyString()))
    fc.assert(
      fc.property(pieces, (parts) => void readAll(parts.join(''))),
      { numRuns: 3000, seed: SEED },
    )
  })
})

test('generated trees match the published schema', () => {
  fc.assert(
    fc.property(script, (ast) => {
      // The schema allows at most ten redirects, and a timeout of at least 1 ms.
      for (const { config } of ast.calls) {
        if (config?.redirects?.max !== undefined) config.redirects.max %= 11
        if (config?.timeout?.ms !== undefined) config.timeout.ms += 1
      }
      expect(astProblem(ast)).toBeNull()
    }),
    { numRuns: 150 * CASES, seed: SEED },
  )
})

test('an expression printed for results has the meaning of its source', () => {
  fc.assert(
    fc.property(expr, (one) => {
      const shown = printExpression(one)
      const { ast } = parseScript(`get("u").assert({ check: [${shown}] })`)
      // Nested comparisons are printed without parentheses, so they cannot be parsed again. All else can.
      if (ast) expect(plain(ast).calls[0].chain.assert.check[0].condition).toEqual(plain(one))
      else expect(shown).toMatch(/ (eq|neq|lt|lte|gt|gte) .* (eq|neq|lt|lte|gt|gte) /s)
    }),
    { numRuns: 3000, seed: SEED },
  )
})

test('generated expressions evaluate to results that match the published schema', async () => {
  const body = { a: [1, 'x', null], status: { value: true }, __proto__: null }
  await using target = await startTarget(answerJson(body as never))
  const variables = { a: body, value: 'text', status: 5, get: '7' } as never
  let assertions = 0
  await fc.assert(
    fc.asyncProperty(fc.array(expr, { minLength: 8, maxLength: 8 }), async (exprs) => {
      const source = printScript({
        version: AST_VERSION,
        calls: [
          {
            method: 'get',
            url: target.url,
            chain: { assert: { check: exprs.map((one) => ({ condition: withValidCalls(one) })) } },
          },
        ],
      })
      const result = await run(source, { variables, prev: { status: { value: [body] } } as never })
      if (result.outcome !== 'success') throw new Error(result.error ?? result.calls[0]?.error ?? 'failed')
      const problem = resultProblem(result)
      if (problem) throw new Error(problem)
      assertions += result.calls[0]!.assertions.length
    }),
    { numRuns: 75 * CASES, seed: SEED },
  )
  expect(assertions).toBe(8 * 75 * CASES)
})
