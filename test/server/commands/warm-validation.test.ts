import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { WARMING_SCRIPTS } from '#server/commands/warm-validation.ts'
import { validateScript } from '#server/lace/validator.ts'

const validations = WARMING_SCRIPTS.map((script) => validateScript(script, { scopes: ['s'], variables: {} }))

test('the scripts that warm the validation have every kind of expression and every chain method', () => {
  const source = readFileSync(new URL('../../../server/lace/ast.ts', import.meta.url), 'utf8')
  const kinds = [...source.matchAll(/kind: '(\w+)'/g)].map(([, kind]) => kind as string)
  const trees = validations.flatMap(({ ast }) => ast ?? [])
  const text = JSON.stringify(trees)
  expect(kinds.length).toBeGreaterThan(9)
  expect(kinds.filter((kind) => !text.includes(`"kind":"${kind}"`))).toEqual([])
  const methods = new Set(trees.flatMap(({ calls }) => calls).flatMap(({ chain }) => Object.keys(chain)))
  expect([...methods].sort()).toEqual(['assert', 'check', 'expect', 'store'])
})

test('they include scripts that do not parse, and names that do not exist', () => {
  expect(validations.some(({ ast }) => ast === null)).toBe(true)
  expect(validations.flatMap(({ errors }) => errors).map(({ code }) => code)).toContain('VARIABLE_UNKNOWN')
})

test('each of them is short: what validates them is compiled without a long turn', () => {
  for (const script of WARMING_SCRIPTS) expect(script.length).toBeLessThan(4_000)
})
