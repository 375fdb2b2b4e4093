import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { realFolder } from '#server/cli/code/format/disk.ts'
import { testApi } from '#test/support/api/api.ts'
import { commandLine } from '#test/support/cli/in-process.ts'
import { createSourceSide, type Side, VALUES } from '#test/support/cli/source-world.ts'
import { testFolder } from '#test/support/folder.ts'

// Pipelines run `plan`, `apply` and `export` on what strangers propose: the folder must not reach other files, other
// environment variables, or the time of the machine.

const api = testApi()
const root = testFolder()
const exported = join(root, 'exported')
const outside = join(root, 'outside')
const secret = join(outside, 'secret.txt')
const SECRET = 'swordfish-4711'
const SERVICE = 'shop-eu/web'

let source: Side

beforeAll(async () => {
  source = await createSourceSide(api, ['oslo', 'berlin'])
  expect(await commandLine(api, source.key, ['export', exported])).toMatchObject({ code: 0 })
  await mkdir(outside)
  await writeFile(secret, SECRET)
}, 60_000)

let copies = 0
/** A copy of the exported folder, with changes. */
async function folderWith(change: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(root, `copy-${++copies}`)
  await cp(exported, folder, { recursive: true })
  await change(folder)
  return folder
}

const service = (script: string) => `kind: service\nname: Proposed\nscript: ${script}\n`

async function propose(folder: string, script: string): Promise<void> {
  await writeFile(join(folder, SERVICE, 'proposed.yaml'), service(script))
}

describe('a script', () => {
  test.each<[string, string, (folder: string) => Promise<unknown>]>([
    ['a link out of the folder', 'a.lace', (folder) => symlink(secret, join(folder, SERVICE, 'a.lace'))],
    ['a relative link', 'a.lace', (folder) => symlink('../../../outside/secret.txt', join(folder, SERVICE, 'a.lace'))],
    ['a file in a linked folder', 'b/secret.txt', (folder) => symlink(outside, join(folder, SERVICE, 'b'))],
    [
      'a link to a link',
      'a.lace',
      async (folder) => {
        await symlink('c', join(folder, SERVICE, 'a.lace'))
        await symlink(secret, join(folder, SERVICE, 'c'))
      },
    ],
    ['a hidden file', '.env', (folder) => writeFile(join(folder, SERVICE, '.env'), SECRET)],
    [
      'a link to a hidden file',
      'a.lace',
      async (folder) => {
        await mkdir(join(folder, '.git'))
        await writeFile(join(folder, '.git/config'), SECRET)
        await symlink('../../.git/config', join(folder, SERVICE, 'a.lace'))
      },
    ],
    ['a device', 'a.lace', (folder) => symlink('/dev/zero', join(folder, SERVICE, 'a.lace'))],
    ['a pipe', 'a.lace', async (folder) => execFileSync('mkfifo', [join(folder, SERVICE, 'a.lace')])],
    ['a folder', 'a.lace', (folder) => mkdir(join(folder, SERVICE, 'a.lace'))],
    ['a large file', 'a.lace', (folder) => writeFile(join(folder, SERVICE, 'a.lace'), SECRET.repeat(80_000))],
  ])('that is %s is refused by plan, apply and export', async (_, script, make) => {
    const folder = await folderWith(async (copy) => {
      await propose(copy, script)
      await make(copy)
    })
    for (const args of [['plan'], ['plan', '--json'], ['apply', '--yes'], ['export']]) {
      const { code, output, errors } = await commandLine(api, source.key, [...args, folder])
      expect([args, code, output]).toEqual([args, 2, ''])
      expect(errors).toContain(`${SERVICE}/proposed.yaml: script: cannot read ${SERVICE}/${script}: `)
      expect(errors).not.toContain(SECRET)
      expect(errors.trim().split('\n')).toHaveLength(2)
    }
    expect(await readFile(secret, 'utf8')).toBe(SECRET)
  })

  test('may be a link to a file of the folder', async () => {
    const folder = await folderWith(async (copy) => {
      await propose(copy, 'a.lace')
      await symlink('checkout.lace', join(copy, SERVICE, 'a.lace'))
    })
    const { code, output, errors } = await commandLine(api, source.key, ['plan', '--json', folder])
    expect([code, errors]).toEqual([0, ''])
    expect(JSON.parse(output).changes).toMatchObject([{ op: 'create', path: ['Shop: "EU"', 'Web', 'Proposed'] }])
  })
})

describe('a YAML file', () => {
  test('that is a link is refused, as a missing one would be a deleted service', async () => {
    const folder = await folderWith(async (copy) => {
      await rm(join(copy, SERVICE, 'checkout.yaml'))
      await symlink(join(exported, SERVICE, 'checkout.yaml'), join(copy, SERVICE, 'checkout.yaml'))
    })
    const { code, errors } = await commandLine(api, source.key, ['plan', '--prune', folder])
    expect(code).toBe(2)
    expect(errors).toContain(`${SERVICE}/checkout.yaml: is a symbolic link; only scripts may be links`)
  })

  test.each([
    ['60,000 anchors', Array.from({ length: 60_000 }, (_, i) => `- &a${i} x\n- *a${i}\n`).join(''), 'anchors'],
    ['deep lists', '['.repeat(100_000), 'has more than 100 levels'],
    ['deep keys', '? '.repeat(40), 'has a key that is not a string'],
    ['nested aliases', nestedAliases(), 'becomes too large by its aliases'],
    ['a key that occurs twice', 'kind: service\nkind: service\n', 'has the key kind twice in one mapping'],
  ])('with %s is refused', async (_, text, problem) => {
    const folder = await folderWith((copy) => writeFile(join(copy, SERVICE, 'proposed.yaml'), text.slice(0, 1_048_576)))
    const { code, errors } = await commandLine(api, source.key, ['plan', folder])
    expect(code).toBe(2)
    expect(errors).toMatch(new RegExp(`^  ${SERVICE}/proposed.yaml: .*${problem}`, 'm'))
  })
})

/** Each of ten lists has the one before ten times. */
function nestedAliases(): string {
  const lists = Array.from({ length: 10 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(10)}]`)
  return ['l0: &l0 [x]', ...lists].join('\n')
}

describe('export', () => {
  test.each([
    ['soundline.schema.json', secret],
    [`${SERVICE}/checkout-2.yaml`, secret],
    [`${SERVICE}/checkout-2.yaml`, join(outside, 'missing.txt')],
  ])('does not write through the link %s to %s', async (path, target) => {
    const folder = await folderWith(async (copy) => {
      await rm(join(copy, path))
      // Without its project file, the folder has no services, so that nothing is read from them.
      if (path !== 'soundline.schema.json') await rm(join(copy, SERVICE, 'soundline.yaml'))
      await symlink(target, join(copy, path))
    })
    await writeFile(join(folder, 'organization.yaml'), 'kind: organization\n')
    const { code, errors } = await commandLine(api, source.key, ['export', folder])
    expect(code).toBe(2)
    expect(errors).toMatch(new RegExp(`^soundline: Cannot write ${path}: .*\\n$`))
    expect(await readFile(secret, 'utf8')).toBe(SECRET)
    expect(await readFile(join(outside, 'missing.txt'), 'utf8').catch(() => null)).toBe(null)
    // Nothing of the export was written.
    expect(await readFile(join(folder, 'organization.yaml'), 'utf8')).toBe('kind: organization\n')
  })

  test('does not make folders behind a link', async () => {
    const folder = join(root, 'linked')
    await mkdir(folder)
    await symlink(outside, join(folder, 'shop-eu'))
    const { code, errors } = await commandLine(api, source.key, ['export', folder])
    expect([code, errors]).toEqual([2, expect.stringMatching(/Cannot write shop-eu\/.*leads out of the folder/)])
    expect(await readFile(join(outside, 'workspace.yaml'), 'utf8').catch(() => null)).toBe(null)
  })

  test('does not start in a folder that is a link out of the current one', async () => {
    const checkout = join(root, 'checkout')
    await mkdir(checkout)
    await symlink(outside, join(checkout, 'monitoring'))
    await symlink('.', join(checkout, 'here'))
    const program = `
      import { realFolder } from ${JSON.stringify(new URL('../../../../server/cli/code/format/disk.ts', import.meta.url).href)}
      for (const dir of ['monitoring', './monitoring/', 'monitoring/new', 'here', 'new', '.'])
        console.log(await realFolder(dir).then(() => 'ok', ({ message }) => message))`
    const args = ['--input-type=module-typescript', '--eval', program]
    const lines = execFileSync(process.execPath, args, { cwd: checkout, encoding: 'utf8' }).trim().split('\n')
    const refused = expect.stringMatching(/^\.?\/?monitoring\/?(new)?: leads out of .*checkout by a symbolic link/)
    expect(lines).toEqual([refused, refused, refused, 'ok', 'ok', 'ok'])
    // An absolute name is chosen by who runs the command.
    expect(await realFolder(join(checkout, 'monitoring'))).toBe(await realFolder(outside))
  })
})

describe('fromEnv', () => {
  const environment = { AWS_SECRET_ACCESS_KEY: SECRET, SOUNDLINE_VAR_OWN: 'own' }
  const line =
    'secret taken of Shop: "EU" / Web / Proposed: fromEnv: AWS_SECRET_ACCESS_KEY must start with SOUNDLINE_VAR_, ' +
    'or be allowed by --allow-env AWS_SECRET_ACCESS_KEY'
  const folderFrom = (name: string) =>
    folderWith((copy) =>
      writeFile(
        join(copy, SERVICE, 'proposed.yaml'),
        `kind: service\nname: Proposed\nvariables: { taken: { type: secret, fromEnv: ${name} } }\n`,
      ),
    )

  test('reads no other environment variable, in plan and apply', async () => {
    const folder = await folderFrom('AWS_SECRET_ACCESS_KEY')
    for (const args of [['plan'], ['apply', '--yes'], ['apply', '--yes', '--allow-env', 'AWS']]) {
      const { code, output, errors } = await commandLine(api, source.key, [...args, folder], { environment })
      expect([code, errors]).toEqual([1, `${line}\n`])
      expect(output).not.toContain(SECRET)
    }
  })

  test('reads a name that is allowed, and its own', async () => {
    const folder = await folderFrom('AWS_SECRET_ACCESS_KEY')
    const allowed = ['--allow-env', 'OTHER', '--allow-env', 'AWS_SECRET_ACCESS_KEY', folder]
    expect(await commandLine(api, source.key, ['plan', ...allowed])).toMatchObject({ code: 0, errors: '' })
    const applied = await commandLine(api, source.key, ['apply', '--yes', ...allowed], { environment })
    expect([applied.code, applied.errors]).toEqual([0, ''])
    const own = await folderFrom('SOUNDLINE_VAR_OWN')
    const again = await commandLine(api, source.key, ['apply', '--yes', '--values', own], {
      environment: { ...environment, ...VALUES },
    })
    expect([again.code, again.errors]).toEqual([0, ''])
  })
})
