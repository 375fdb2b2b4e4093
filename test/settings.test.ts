import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseEnvironment } from '#server/process/environment.ts'
import { ROOT } from '#server/process/program.ts'
import { parseSettings } from '#server/process/settings.ts'
import { source } from '#test/support/code/sources.ts'
import { agentSettingsSchema } from '#worker/agent/settings.ts'

// The pages of settings, held against the schemas. Each setting has a heading, so that it can be linked.

describe('the pages of settings', () => {
  const text = ['settings', 'limits'].map((name) => read(`app/docs/content/operate/${name}.md`)).join('\n')
  const entries = [...text.matchAll(/^### `([A-Z_]+)`\n\n(?:Default: `(.+?)`\. )?(.+)$/gm)]
  const defaults = entries.map(([, name, preset]) => [name, preset])

  test('say of every setting what it means, each once, and name no other', () => {
    expect(entries.map(([, name]) => name).sort()).toEqual(namesIn('server/process/settings.ts').sort())
    expect(entries.filter(([, , , meaning = '']) => meaning.length < 15)).toEqual([])
  })

  test('say the defaults as they are', () => {
    // NODE_ENV is set by the commands, and the session URL falls back to another setting.
    const { NODE_ENV, ...settings } = asText(parseSettings({}))
    expect(given(defaults)).toEqual({ ...settings, DATABASE_SESSION_URL: 'DATABASE_URL' })
  })
})

describe("the table of the guide's page on agents", () => {
  const rows = [...read('app/docs/content/guide/agents.md').matchAll(/^\| `([A-Z_]+)` \|(.*?)\| .+ \|$/gm)]
  const defaults = rows.map(([, name, preset]) => [name, preset?.replaceAll('`', '').trim()])

  test('says of every setting of an agent its default, and names no other', () => {
    const { SOUNDLINE_URL, ...settings } = asText(
      parseEnvironment(agentSettingsSchema, { SOUNDLINE_URL: 'https://soundline.example.com' }),
    )
    expect(defaults.map(([name]) => name).sort()).toEqual(namesIn('worker/agent/settings.ts').sort())
    expect(given(defaults)).toEqual(settings)
  })
})

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** Returns the names of the settings in a schema's file. */
function namesIn(file: string): string[] {
  return [...source(file).text.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name ?? '')
}

/** Returns the settings that have a default, as texts. */
function asText(settings: Record<string, unknown>): Record<string, string> {
  return given(
    Object.entries(settings).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(' ') : String(value ?? ''),
    ]),
  )
}

function given(pairs: (string | undefined)[][]): Record<string, string> {
  return Object.fromEntries(pairs.filter(([, value]) => value))
}
