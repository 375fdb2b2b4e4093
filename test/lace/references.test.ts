// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language
import { describe, expect, test } from 'vitest'
import { parseTemplate, resolveTemplate } from '#server/language/lace/interpolation.ts'
import { parseScript } from '#server/language/lace/parser.ts'
import { referencesOf, staticTarget } from '#server/language/lace/references.ts'
import { readStoreKey } from '#server/language/lace/store-key.ts'

const SCOPES = ['o', 'w', 'p', 's']

/** Writes each variable of a template as `<name>`, to show where it ends. */
function marked(template: string, scopes: string[] = []): string {
  return parseTemplate(template, scopes)
    .map((part) => (part.kind === 'text' ? part.text : `<${part.kind === 'run' ? '$' : ''}${part.name}${path(part)}>`))
    .join('')
}

function path(part: Extract<ReturnType<typeof parseTemplate>[number], { name: string }>): string {
  return part.path.map((step) => (step.type === 'field' ? `.${step.name}` : `[${step.index}]`)).join('')
}

describe('variables in templates', () => {
  test.each([
    ['', ''],
    ['plain', 'plain'],
    ['$a', '<a>'],
    ['$$a', '<$a>'],
    ['$$$a', '$<$a>'],
    ['$a$b', '<a><b>'],
    ['$a.b', '<a>.b'],
    ['$a.b.c', '<a>.b.c'],
    ['$$a.b', '<$a>.b'],
    ['${$a}b', '<a>b'],
    ['${$$a}b', '<$a>b'],
    ['${$a.b[0].c}d', '<a.b[0].c>d'],
    ['${a}', '${a}'],
    ['${$a', '${<a>'],
    ['${ $a }', '${ <a> }'],
    ['$', '$'],
    ['$5 and $$5', '$5 and $$5'],
    ['a$b/c?d=$e&f', 'a<b>/c?d=<e>&f'],
    ['$a_b1-c', '<a_b1>-c'],
    ['$ä', '$ä'],
    ['$s.base', '<s>.base'],
  ])('%s', (template, expected) => {
    expect(marked(template)).toBe(expected)
  })

  test.each([
    ['$s.base.example', '<s.base>.example'],
    ['${$s.base}', '<s.base>'],
    ['${$s.base.url}/x', '<s.base.url>/x'],
    ['$s.base$w.x', '<s.base><w.x>'],
    ['$s', '<s>'],
    ['$s.', '<s>.'],
    ['$s.1', '<s>.1'],
    ['$x.base', '<x>.base'],
    ['$$s.base', '<$s>.base'],
    ['$ss.base', '<ss>.base'],
  ])('with scopes, %s', (template, expected) => {
    expect(marked(template, SCOPES)).toBe(expected)
  })

  test('resolving leaves run variables unknown, and lists missing variables', () => {
    const values: Record<string, string> = { 's.base': 'https://a.example' }
    const lookup = (ref: { name: string; path: { name?: string }[] }) => values[`${ref.name}.${ref.path[0]?.name}`]
    const resolved = resolveTemplate('$s.base/x/$$id?k=$s.key', lookup as never, SCOPES)
    expect(resolved.length).toBe('https://a.example/x/?k='.length)
    expect(resolved.parts.map((part) => part.text)).toEqual(['https://a.example', '/x/', null, '?k=', null])
    expect(resolved.missing.map((ref) => ref.text)).toEqual(['$s.key'])
  })
})

describe('the static target of a call', () => {
  const lookup = (ref: { name: string }) =>
    ({ host: 'a.example', base: 'https://a.example', tail: 'example/x' })[ref.name]

  test.each([
    ['https://a.example/x', 'https://a.example/x'],
    ['$base/users/$$id', 'https://a.example/users/0'],
    ['$base?id=$$id', 'https://a.example?id=0'],
    ['$base#$$id', 'https://a.example#0'],
    ['https://b.$tail/$$id', 'https://b.example/x/0'],
    ['https:\\\\$host\\$$x', 'https:\\\\a.example\\0'],
  ])('%s is known', (url, expected) => {
    expect(staticTarget(url, lookup)).toEqual({ kind: 'known', url: expected })
  })

  test.each([
    '$$base/x',
    'https://$$host/x',
    'https://a.example$$x',
    'https://a.example:$$port/',
    'https://a.example:8080$$x/',
    '$$scheme://a.example/',
    'http$$s://a.example/',
    '$base$$x',
    'https://user@$$host/',
    'https:$$x',
    'https:/$$x/',
    '//a.example/$$x',
  ])('%s depends on the run', (url) => {
    expect(staticTarget(url, lookup)).toEqual({ kind: 'dynamic' })
  })

  test('a variable without a value is listed', () => {
    expect(staticTarget('https://$nope/$$x', lookup)).toMatchObject({ kind: 'missing', variables: [{ text: '$nope' }] })
  })
})

test('referencesOf lists what a script refers to', () => {
  const { ast } = parseScript(
    `get("$s.base/\${$w.path.a[0]}/$$id", {
       headers: { A: "Bearer $s.token", B: $p.x }, body: "raw $s.raw", mine: [$o.ext]
     })
     .expect(body: schema($s.schema), status: { value: 1, options: { a: "$s.opt" } })
     .assert({ check: [includes("$s.needle", this.body) or prev.outcome eq "success"] })
     .store({ "$$id2": $$id, count: 1, "$s.seen": "$s.base" })
     post("$$id2").store({ count: 2 })`,
    { scopes: SCOPES },
  )
  const found = referencesOf(ast!, SCOPES)
  expect(found.calls).toEqual([
    { index: 0, method: 'get', url: '$s.base/${$w.path.a[0]}/$$id' },
    { index: 1, method: 'post', url: '$$id2' },
  ])
  expect(found.variables.map((one) => one.text)).toEqual([
    '$s.base',
    '${$w.path.a[0]}',
    '$s.raw',
    '$s.token',
    '$p.x',
    '$o.ext',
    '$s.schema',
    '$s.opt',
    '$s.needle',
    '$s.base',
  ])
  expect(found.variables[1]).toMatchObject({
    name: 'w',
    path: [{ name: 'path' }, { name: 'a' }, { index: 0 }],
    callIndex: 0,
  })
  expect(found.runVariables.map((one) => [one.text, one.callIndex])).toEqual([
    ['$$id', 0],
    ['$$id', 0],
    ['$$id2', 1],
  ])
  expect(found).toMatchObject({ writtenBack: ['count', 'seen'], assigned: ['id2'], usesIncludes: true, usesPrev: true })
})

test('referencesOf reports that a script uses neither includes nor prev', () => {
  const { ast } = parseScript('get("u").assert({ check: [count(this.body) eq 1] })')
  expect(referencesOf(ast!)).toMatchObject({ usesIncludes: false, usesPrev: false, variables: [], writtenBack: [] })
})

test('readStoreKey parses the keys of .store()', () => {
  expect(readStoreKey('$$a.b')).toEqual({ kind: 'run', name: 'a.b' })
  expect(readStoreKey('$a')).toEqual({ kind: 'writeback', name: 'a', foreignScope: null })
  expect(readStoreKey('a')).toEqual({ kind: 'writeback', name: 'a', foreignScope: null })
  expect(readStoreKey('$s.a')).toEqual({ kind: 'writeback', name: 's.a', foreignScope: null })
  expect(readStoreKey('$s.a', SCOPES)).toEqual({ kind: 'writeback', name: 'a', foreignScope: null })
  expect(readStoreKey('$w.a', SCOPES)).toEqual({ kind: 'writeback', name: 'a', foreignScope: 'w' })
  expect(readStoreKey('$x.a', SCOPES)).toEqual({ kind: 'writeback', name: 'x.a', foreignScope: null })
})
