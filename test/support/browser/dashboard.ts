import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { beforeAll } from 'vitest'
import type { Db } from '#db/client.ts'
import { eq, sql } from '#db/drizzle.cjs'
import { rateLimits } from '#db/schema/credentials.ts'
import { users } from '#db/schema/organizations.ts'
import type { Runtime } from '#server/context.ts'
import { createDashboard, type Dashboard } from '#server/fronts/session/session-front.ts'
import { testRuntime } from '../api/api.ts'
import { required, testDatabase } from '../database.ts'
import type { Factories, Organization } from '../factories.ts'

export const PASSWORD = 'nine purple otters'

export type DashboardAnswer<T = Record<string, unknown>> = {
  status: number
  /** The output of the operation; undefined if it was refused. */
  data: T
  /** The error code; undefined if the operation succeeded. */
  code: string | undefined
  details: Record<string, unknown> | null | undefined
  headers: Headers
  text: string
}

type Headed = Record<string, string>

/** A browser without its pages: keeps the session cookie, and sends requests from its own address. */
export type Visitor = {
  cookie: string | null
  /** The device cookie, by which an account recognizes the browser. */
  device: string | null
  /** The cookie with what a passkey must sign. */
  challenge: string | null
  readonly address: string
  post: <T = Record<string, unknown>>(name: string, input?: unknown, headers?: Headed) => Promise<DashboardAnswer<T>>
  get: <T = Record<string, unknown>>(name: string, input?: unknown, headers?: Headed) => Promise<DashboardAnswer<T>>
  send: (path: string, init: Omit<RequestInit, 'headers'> & { headers?: Headed }) => Promise<DashboardAnswer>
}

export type TestDashboard = ReturnType<typeof testDashboard>

/**
 * Creates the dashboard's API in the test process, with a database for the test file and a clock that tests set by
 * `clock.now`. A test fails on a 500, and on a response that contains a stack, a query or a path.
 */
export function testDashboard(settings: Record<string, string> = {}) {
  const database = testDatabase()
  const clock = { now: new Date() }
  const { host } = new URL(settings.BASE_URL ?? 'http://dashboard.test')
  let runtime: Runtime | null = null
  let dashboard: Dashboard | null = null
  beforeAll(() => {
    runtime = testRuntime(database.db, settings, () => clock.now)
    dashboard = createDashboard(runtime)
  })
  return {
    clock,
    databaseUrl: database.url,
    /** Advances the clock. */
    pass: (ms: number) => {
      clock.now = new Date(clock.now.getTime() + ms)
    },
    get db(): Db {
      return database.db
    },
    get create(): Factories {
      return database.create
    },
    get runtime(): Runtime {
      return required(runtime)
    },
    /** Counts as if each attempt so far, such as each guess of a token, had been made that often. */
    multiplyAttempts: async (times: number): Promise<void> => {
      await database.db.update(rateLimits).set({ used: sql`${rateLimits.used} * ${times}::int` })
    },
    visitor: (address = randomAddress()): Visitor => visitorOf(() => required(dashboard), address, host),
    /** Sets a member's password to `PASSWORD` and signs them in. A member with a second factor needs `code`. */
    async signIn(member: { userId: string; email: string }, code?: string): Promise<Visitor> {
      await setPassword(database.db, member.userId)
      const person = this.visitor()
      const answer = await person.post('auth.signIn', { email: member.email, password: PASSWORD, code })
      if (answer.status !== 200) throw new Error(`Sign-in returned ${answer.text}`)
      return person
    },
  }
}

/** A hash contains its own cost. Tests sign in thousands of times, so that of `PASSWORD` is as cheap as can be. */
const CHEAPEST = { memoryCost: 8, timeCost: 1, parallelism: 1 }
let hashed: Promise<string> | null = null

/** An organization that is created before the tests of a file, with a session of its owner. */
export function testOrganization(dashboard: TestDashboard): Organization & { visitor: Visitor } {
  const organization = {} as Organization & { visitor: Visitor }
  beforeAll(async () => {
    const created = await dashboard.create.organization({ name: 'Acme' })
    Object.assign(organization, created, { visitor: await dashboard.signIn(created.owner) })
  })
  return organization
}

/** Sets the password of an account that a factory created without one to `PASSWORD`. */
export async function setPassword(db: Db, userId: string): Promise<void> {
  hashed ??= hash(PASSWORD, CHEAPEST)
  await db
    .update(users)
    .set({ passwordHash: await hashed })
    .where(eq(users.id, userId))
}

/** Creates a visitor of a dashboard that the test created itself. */
export function visitorOf(dashboard: () => Dashboard, address = randomAddress(), host = 'dashboard.test'): Visitor {
  const self: Visitor = {
    cookie: null,
    device: null,
    challenge: null,
    address,
    post: (name, input, headers = {}) =>
      self.send(`/api/trpc/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
        ...(input === undefined ? {} : { body: JSON.stringify(input) }),
      }) as never,
    get: (name, input, headers = {}) => {
      const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
      return self.send(`/api/trpc/${name}${query}`, { method: 'GET', headers }) as never
    },
    async send(path, init) {
      const headers = new Headers({ host, ...init.headers })
      const kept = [self.cookie, self.device, self.challenge].filter((value) => value !== null)
      if (kept.length > 0 && !headers.has('cookie')) headers.set('cookie', kept.join('; '))
      const request = new Request(`http://dashboard.test${path}`, { ...init, headers })
      const response = await dashboard()(request, { address })
      for (const cookie of response.headers.getSetCookie()) {
        const kept = cookie.includes('Max-Age=0') ? null : (cookie.split(';')[0] as string)
        if (/^[^=]+-device=/.test(cookie)) self.device = kept
        else if (/^[^=]+-challenge=/.test(cookie)) self.challenge = kept
        else self.cookie = kept
      }
      return readDashboardAnswer(response)
    },
  }
  return self
}

async function readDashboardAnswer(response: Response): Promise<DashboardAnswer> {
  const text = await response.text()
  if (response.status === 500 || /node_modules|\.ts:\d|select |insert into|Failed query/.test(text)) {
    throw new Error(`The dashboard returned ${response.status}: ${text}`)
  }
  // Links in mails get a plain-text response.
  const { result, error } = text.startsWith('{') ? JSON.parse(text) : {}
  if (error && !/^[A-Z]/.test(error.message)) throw new Error(`No text to show: ${text}`)
  if (error && error.data.httpStatus !== response.status) throw new Error(`Status ${response.status} with ${text}`)
  return {
    status: response.status,
    data: result?.data,
    code: error?.data.code,
    details: error?.data.details,
    headers: response.headers,
    text,
  }
}

/** Returns a random address, so that tests do not share rate limits. */
export function randomAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`
}
