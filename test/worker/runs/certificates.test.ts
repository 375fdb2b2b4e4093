import { writeFileSync } from 'node:fs'
import type { Server } from 'node:https'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asc, eq } from '#db/drizzle.cjs'
import { alertEvents, certificates, lostAgents } from '#db/schema/alerts.ts'
import { organizations } from '#db/schema/organizations.ts'
import { agents } from '#db/schema/resources.ts'
import { variables } from '#db/schema/scoped.ts'
import { DAY_MS } from '#server/durations.ts'
import { enqueue } from '#server/schedule/jobs.ts'
import { createVault } from '#server/vault.ts'
import { endCollection } from '#test/support/alerts/alert-world.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '#test/support/alerts/mail-server.ts'
import { makeCertificate, makeChain } from '#test/support/certificates.ts'
import { testFolder } from '#test/support/folder.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// A real worker sees the certificates of real TLS servers, and stores events of certificates and agents.

const database = probedDatabase()
const { start: startWorker } = testWorkers(database.url)
const folder = testFolder()
let soon: HttpTarget
let late: HttpTarget
let chained: HttpTarget
let mails: MailServer

beforeAll(async () => {
  late = await startHttpTarget((_, response) => response.end('late'), {
    certificate: await makeCertificate('valid', [], 80),
  })
  soon = await startHttpTarget(
    (request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: `https://127.0.0.1:${late.port}/` })
      response.end('soon')
    },
    { certificate: await makeCertificate('valid', [], 5) },
  )
  mails = await startMailServer()
  const chain = await makeChain({ intermediateDaysLeft: 9 })
  chained = await startHttpTarget((_, response) => response.end('ok'), {
    certificate: { key: chain.key, cert: chain.leaf + chain.intermediate, ca: chain.ca },
  })
  const authorities = join(folder, 'ca.pem')
  writeFileSync(authorities, chain.ca)
  await startWorker({ SMTP_URL: `smtp://127.0.0.1:${mails.port}`, PROBE_CA_FILE: authorities })
})
afterAll(async () => {
  await soon.close()
  await late.close()
  await chained.close()
  await mails.close()
})

const get = ({ port }: HttpTarget, path = '/') => getUrl(`https://127.0.0.1:${port}${path}`)
const getUrl = (url: string) => `get("${url}", { security: { rejectInvalidCerts: false } }).expect(status: 200)\n`

/** Waits for a mail, whose collection is ended at once. */
function untilMailed(isMail: (mail: ReceivedMail) => boolean): Promise<ReceivedMail> {
  return until('the mail', async () => {
    await endCollection(database.db)
    return mails.mails.find(isMail)
  })
}

async function runOnce(service: ProbedService): Promise<void> {
  const before = (await database.resultsOf(service)).length
  await database.requestRunOf(service)
  const result = await until('a result', async () => (await database.resultsOf(service))[before])
  expect(result.status).toBe('success')
}

const rowsOf = ({ id }: { id: string }) =>
  database.db.select().from(certificates).where(eq(certificates.serviceId, id)).orderBy(asc(certificates.notAfter))

/** Returns the days until the expiry, to the nearest. */
const daysOf = (rows: { notAfter: Date }[]) =>
  rows.map(({ notAfter }) => Math.round((notAfter.getTime() - Date.now()) / DAY_MS))

test('a run stores the certificate of each host over TLS, those of redirects included', async () => {
  const service = await database.createProbedService(get(soon) + get(late))
  await runOnce(service)
  const rows = await rowsOf(service)
  expect(rows).toMatchObject([
    { host: `127.0.0.1:${soon.port}`, subject: 'localhost', warnedDays: null },
    { host: `127.0.0.1:${late.port}`, issuer: expect.stringContaining('Soundline test authority') },
  ])
  expect(daysOf(rows)).toEqual([5, 80])
  const moved = await database.createProbedService(get(soon, '/moved'))
  await runOnce(moved)
  const hops = await rowsOf(moved)
  expect(hops.map(({ host }) => host)).toEqual([`127.0.0.1:${soon.port}`, `127.0.0.1:${late.port}`])
  expect(daysOf(hops)).toEqual([5, 80])
})

test('a worker trusts the authorities of its file; the first of a chain to expire is stored and announced by its name', async () => {
  const service = await database.createProbedService(`get("https://localhost:${chained.port}/").expect(status: 200)`)
  await database.requestRunOf(service)
  const result = await until('a result', async () => (await database.resultsOf(service))[0])
  expect(result.status).toBe('success')
  const [row] = await rowsOf(service)
  expect(row).toMatchObject({
    host: `localhost:${chained.port}`,
    subject: expect.stringContaining('test intermediate'),
  })
  expect(daysOf([row!])).toEqual([9])
  await database.create.member(
    { id: service.organizationId },
    { grants: [{ serviceId: service.id, level: 1 }], email: 'chain@example.com' },
  )
  await enqueue(database.db, 'certificates', {}, { key: 'certificates-of-chain' })
  const mail = await untilMailed(({ to }) => to.includes('chain@example.com'))
  const text = mail.text.replaceAll('\u200b', '').replace(/\s+/g, ' ')
  expect(text).toContain(`the certificate "${row!.subject}" of localhost:${chained.port} expires in 9 days`)
})

test('a host that contains a secret is not stored', async () => {
  const service = await database.createProbedService(getUrl('https://$s.host/') + get(late))
  const { id: serviceId, organizationId } = service
  const id = uuidv7()
  const vault = createVault([{ id: 'test', secret: TEST_SECRET_KEYS.slice(5) }])
  const sealed = vault.seal(`127.0.0.1:${soon.port}`, 'variable', organizationId, id)
  await database.db.insert(variables).values({ id, organizationId, serviceId, key: 'host', type: 'secret', sealed })
  await runOnce(service)
  expect(await rowsOf(service)).toMatchObject([{ host: `127.0.0.1:${late.port}` }])
})

test('a certificate that expires soon gives a mail to the recipients of the service, and is replaced when renewed', async () => {
  const service = await database.createProbedService(get(soon))
  await database.create.member(
    { id: service.organizationId },
    { grants: [{ serviceId: service.id, level: 1 }], email: 'reader@example.com' },
  )
  await runOnce(service)
  await enqueue(database.db, 'certificates', {}, { key: 'certificates-now' })
  const event = await until('the event', async () => {
    const [found] = await database.db.select().from(alertEvents).where(eq(alertEvents.serviceId, service.id))
    return found
  })
  expect(event).toMatchObject({ kind: 'certificate.expiring', payload: { certificate: { daysLeft: 5 } } })
  const mail = await untilMailed(({ to }) => to.includes('reader@example.com'))
  expect(mail.text).toContain('expires in 5 days')

  const { key, cert } = await makeCertificate('valid', [], 85)
  ;(soon.server as Server).setSecureContext({ key, cert })
  await runOnce(service)
  const rows = await rowsOf(service)
  expect(daysOf(rows)).toEqual([85])
  expect(rows).toMatchObject([{ warnedDays: null }])
})

test('the return of a lost agent gives a mail to members who manage settings', async () => {
  const service = await database.createProbedService('')
  const [agent] = await database.db.select().from(agents).where(eq(agents.slug, 'local'))
  const [organization] = await database.db
    .select()
    .from(organizations)
    .where(eq(organizations.id, service.organizationId))
  const lost = { organizationId: service.organizationId, agentId: agent?.id as string, lostAt: new Date() }
  await database.db.insert(lostAgents).values(lost)
  await enqueue(database.db, 'agents', {}, { key: 'agents-now' })
  const event = await until('the event', async () => {
    const [found] = await database.db
      .select()
      .from(alertEvents)
      .where(eq(alertEvents.organizationId, service.organizationId))
    return found
  })
  expect(event).toMatchObject({
    kind: 'agent.back',
    payload: {
      organization: { id: organization?.id, name: organization?.name },
      agent: { slug: 'local', label: 'Local' },
      services: { total: 1, names: [service.name] },
    },
  })
  const mail = await untilMailed(({ text }) => text.includes('Agent Local is back'))
  expect(mail.to).toHaveLength(1)
})
