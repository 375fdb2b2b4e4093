import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import type { Cli } from '#server/cli/cli.ts'
import { createStyler } from '#server/cli/output/terminal-text.ts'
import { exitCodeOf, newItem, type RunItem, type RunReport } from '#server/cli/run/report.ts'
import { createReporters, parseReporter, type ReporterChoice } from '#server/cli/run/reporters/choose.ts'
import { testFolder } from '#test/support/folder.ts'

const folder = testFolder()
const HOST = 'https://soundline.example.com'

function item(name: string, given: Partial<RunItem>): RunItem {
  return {
    ...newItem({ id: `id-${name}`, name }),
    state: 'done',
    runId: `run-${name}`,
    url: `${HOST}/${name}`,
    ...given,
  }
}

const PASSED = item('Search', { verdict: 'passed', outcome: 'success', durationMs: 420 })
const FAILED = item('Check|out <b>', {
  verdict: 'failed',
  outcome: 'failure',
  durationMs: 3_210,
  reason: 'GET https://shop.example/cart: status 500, expected 200 (1 more failed)',
  failures: [
    {
      agentSlug: 'frankfurt',
      url: `${HOST}/result`,
      summary: null,
      request: 'GET https://shop.example/cart',
      excerpt: null,
      lines: [
        { text: 'status 500, expected 200', expected: 'status = 200', actual: '500' },
        { text: 'body "50% off,\u0007 ]]>", expected "a\nb"', expected: 'body = "a"', actual: '"50% off"' },
      ],
    },
  ],
})
const UNKNOWN = item('Login', { verdict: 'unknown', reason: 'not done within 10 min' })
const SKIPPED = item('Old', { verdict: 'skipped', runId: null, url: null, reason: 'the service is switched off' })

function report(items: RunItem[], allowsSkipped = false): RunReport {
  const times = { startedAt: '2026-11-22T21:00:00.000Z', durationMs: 4_000 }
  return { installation: HOST, url: `${HOST}/batches/1`, note: 'deploy 42', ...times, allowsSkipped, items }
}

/** Returns what the chosen reporters write for a report. */
async function show(choices: string[], given: RunReport, terminal = { isTerminal: false, columns: 80, rows: 24 }) {
  const written = { output: '', notes: '' }
  const cli = {
    terminal: { ...terminal, style: createStyler(false) },
    environment: { GITHUB_STEP_SUMMARY: join(folder, 'summary.md') },
    write: (text: string) => {
      written.output += text
    },
    note: (line: string) => {
      written.notes += `${line}\n`
    },
  } as Partial<Cli> as Cli
  const chosen = choices.reduce<ReporterChoice[]>((earlier, one) => parseReporter(one, earlier), [])
  const reporters = await createReporters(cli, chosen)
  const pending = given.items.map((one): RunItem => ({ ...one, verdict: 'pending', state: 'running' }))
  for (const reporter of reporters) reporter.changed?.({ ...given, items: pending })
  for (const reporter of reporters) reporter.changed?.(given)
  for (const reporter of reporters) await reporter.finished(given)
  return written
}

describe('the exit code', () => {
  test.each([
    [[PASSED], false, 0],
    [[PASSED, FAILED], false, 1],
    [[UNKNOWN, FAILED], false, 1],
    [[PASSED, UNKNOWN], true, 2],
    [[PASSED, SKIPPED], false, 2],
    [[PASSED, SKIPPED], true, 0],
    [[PASSED, { ...PASSED, verdict: 'pending' as const }], true, 2],
    [[], false, 2],
    [[], true, 2],
  ])('%#', (items, allowsSkipped, code) => {
    expect(exitCodeOf({ items, allowsSkipped })).toBe(code)
  })
})

describe('list', () => {
  test('shows each run once, and what failed with expected and actual', async () => {
    const { output } = await show([], report([PASSED, FAILED, UNKNOWN, SKIPPED]))
    expect(output).toBe(`✔ Search 420 ms
✘ Check|out <b> 3.2 s: GET https://shop.example/cart: status 500, expected 200 (1 more failed)
    GET https://shop.example/cart
    ✘ status 500, expected 200
        expected  status = 200
        actual    500
    ✘ body "50% off,\uFFFD ]]>", expected "a\uFFFDb"
        expected  body = "a"
        actual    "50% off"
    ${HOST}/result
? Login: not done within 10 min
    ${HOST}/Login
○ Old: the service is switched off
1 passed, 1 failed, 1 skipped, 1 without a verdict in 4.0 s
${HOST}/batches/1
`)
  })

  test('on a terminal, draws the pending runs again below the list and leaves only the list', async () => {
    const terminal = { isTerminal: true, columns: 80, rows: 4 }
    const { output } = await show([], report([PASSED, UNKNOWN, SKIPPED]), terminal)
    // One row and the count of the others; then both lines are erased.
    const [table, rest] = output.split('\u001b[2A\u001b[0J')
    expect(table).toBe('\u001b[?7l· Search 420 ms running\n  and 2 more\n\u001b[?7h')
    expect(rest).toMatch(/^✔ Search 420 ms\n/)
    expect(rest).not.toContain('\u001b')
  })

  test('goes to standard error beside a document', async () => {
    const { output, notes } = await show(['list', 'json'], report([PASSED]))
    expect(JSON.parse(output)).toMatchObject({ exitCode: 0, items: [{ serviceName: 'Search', verdict: 'passed' }] })
    expect(notes).toContain('✔ Search')
  })
})

describe('junit', () => {
  const parse = (xml: string) => {
    expect(XMLValidator.validate(xml)).toBe(true)
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '',
      isArray: (name) => name === 'testcase',
    })
    return parser.parse(xml).testsuites.testsuite
  }

  test('is XML with the counts, and failures that are told from errors', async () => {
    const file = join(folder, 'reports/junit.xml')
    const { output } = await show([`junit=${file}`], report([PASSED, FAILED, UNKNOWN, SKIPPED]))
    expect(output).toBe('')
    const suite = parse(await readFile(file, 'utf8'))
    expect(suite).toMatchObject({ tests: '4', failures: '1', errors: '2', skipped: '0', time: '4.000' })
    const [passed, failed, unknown, skipped] = suite.testcase
    expect(passed).toEqual({ name: 'Search', classname: 'soundline', time: '0.420' })
    expect(failed).toMatchObject({ name: 'Check|out <b>', failure: { message: FAILED.reason, type: 'failed' } })
    expect(failed.failure['#text']).toContain('status 500, expected 200')
    expect(failed.failure['#text']).toContain(`${HOST}/result`)
    expect(unknown).toMatchObject({ error: { message: 'not done within 10 min', type: 'unknown' } })
    expect(skipped).toMatchObject({ error: { type: 'skipped' } })
  })

  test('with --allow-skipped, a service that did not run is skipped', async () => {
    const suite = parse((await show(['junit'], report([SKIPPED], true))).output)
    expect(suite).toMatchObject({ errors: '0', skipped: '1', testcase: [{ skipped: { message: SKIPPED.reason } }] })
  })

  test('characters that XML cannot have are replaced', async () => {
    const hostile = item('\u0000\ud800"\n&', { verdict: 'failed', reason: '\u000b' })
    const { output } = await show(['junit'], report([hostile]))
    expect(parse(output).testcase[0].name).toMatch(/^\uFFFD\uFFFD"/)
  })
})

describe('github', () => {
  test('writes one annotation for each run that has not passed, and the summary of the job', async () => {
    const { output } = await show(['github'], report([PASSED, FAILED, UNKNOWN]))
    const lines = output.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    const [, title = '', text = ''] = /^::error title=([^:,]*)::(.*)$/.exec(lines[0] as string) ?? []
    expect(title).toBe('Check|out <b>%3A failed')
    expect(decodeURIComponent(text)).toContain('status 500, expected 200\n')
    expect(decodeURIComponent(text)).toContain('"50% off')
    expect(lines[1]).toMatch(/^::error title=Login%3A no verdict::/)
    expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('### Soundline: 1 passed, 1 failed')
  })
})

describe('markdown', () => {
  test('is a table that names cannot break', async () => {
    const { output } = await show(['markdown'], report([PASSED, FAILED]))
    const rows = output.split('\n').filter((line) => line.startsWith('|'))
    expect(rows.map((row) => row.split('|').length)).toEqual([6, 6, 6, 6])
    expect(rows[3]).toContain('Check&#124;out &#60;b&#62;')
    expect(output).not.toMatch(/<|\u0007/)
    expect(output).toContain(`  - status 500, expected 200`)
    expect(output).toContain(`[All runs](${HOST}/batches/1) · 4.0 s`)
  })
})

describe('several reporters', () => {
  test('two documents cannot share standard output', async () => {
    await expect(show(['json', 'junit'], report([]))).rejects.toThrow('json and junit cannot share standard output')
    await expect(show(['github', 'markdown'], report([]))).rejects.toThrow('cannot share standard output')
    expect((await show(['list', 'github', `json=${join(folder, 'r.json')}`], report([PASSED]))).output).toContain('✔')
  })

  test('a wrong choice is told before anything runs', async () => {
    expect(() => parseReporter('tap')).toThrow('Choose one of list, json, junit, github, markdown.')
    expect(() => parseReporter('junit=')).toThrow('needs the name of a file')
    expect(() => parseReporter('list=x')).toThrow('writes no file')
    await expect(show(['junit=/dev/null/x.xml'], report([]))).rejects.toThrow('/dev/null/x.xml cannot be written')
  })
})
