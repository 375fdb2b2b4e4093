import { describe, expect, test } from 'vitest'
import { type Format, importFile } from '#server/cli/code/import/formats.ts'
import { toFolder } from '#server/cli/code/import/to-folder.ts'

// Files with several commands, and what a check lost by which it would fail.

function imported(format: Format, text: string) {
  const { folder, notes } = toFolder(importFile(format, text), { workspace: 'W', project: 'P' })
  const services = folder.projects[0]?.services ?? []
  return {
    services: services.map(({ file }) => [file.name, file.isActive]),
    variables: services.map(({ file }) => file.variables),
    notes: notes.map(({ check, what, why }) => `${check}: ${what}: ${why}`),
  }
}

describe('a script of a shell', () => {
  test('has its curl commands as checks, and notes for the others', () => {
    const { services, notes } = imported(
      'curl',
      [
        'TOKEN=hunter2',
        'if curl -f example.com/a; then echo fine; fi',
        'curl -f example.com/b || exit 1',
        'X=1 curl -f example.com/b',
        'curl -f example.com/c | jq -e .ok',
        '! curl -f -H "X-Key: hunter2" example.com/d?key=hunter2',
        'curl -f "example.com/e',
      ].join('\n'),
    )
    expect(services).toEqual([
      ['GET example.com/a', true],
      ['GET example.com/b', true],
      ['GET example.com/b 2', true],
    ])
    expect(notes).toEqual([
      'curl example.com/c: the command: Another program reads its output or decides whether it runs.',
      'curl example.com/d: the command: The command starts with !.',
      'curl example.com/e: the command: A quote is not closed.',
      'all: 2 other commands: TOKEN=, echo: Only curl commands become checks.',
    ])
  })

  test('has its variables as variables and secrets of the service', () => {
    const { variables } = imported('curl', 'curl -f "$BASE/a" -H "X-Key: $API_KEY"')
    expect(variables).toEqual([{ BASE: { type: 'variable' }, API_KEY: { type: 'secret', allowedHosts: [] } }])
  })

  test.each([['POST'], ['PUT'], ['PATCH'], ['DELETE']])('imports %s switched off', (method) => {
    expect(imported('curl', `curl -f -X ${method} example.com`).services).toEqual([[`${method} example.com`, false]])
  })
})

test.each<[Format, string]>([
  ['curl', 'curl -f --pinnedpubkey key.pem https://example.com'],
  ['curl', 'curl -f --connect-timeout 1 https://example.com'],
  [
    'openapi',
    JSON.stringify({
      openapi: '3.1.0',
      servers: [{ url: 'https://example.com' }],
      paths: {
        '/': { get: { responses: { 200: { content: { 'application/json': { schema: { $ref: 'a.json' } } } } } } },
      },
    }),
  ],
])('a check of %s that would pass where its source fails is switched off', (format, text) => {
  const { services, notes } = imported(format, text)
  expect(services.map(([, isActive]) => isActive)).toEqual([false])
  expect(notes.at(-1)).toContain('it could pass where the original fails')
})
