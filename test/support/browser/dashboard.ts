import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll } from 'vitest'
import type { Db } from '#db/client.ts'
import { users } from '#db/schema/organizations.ts'
import { hashPassword } from '#server/auth/passwords.ts'
import type { Runtime } from '#server/context.ts'
import { createDashboard, type Dashboard } from '#server/dashboard/serve.ts'
import { testServices } from '../api/api.ts'
import { testDatabase } from '../database.ts'

export const PASSWORD = 'nine purple otters'

export type DashboardAnswer<T = Record<string, unknown>> = {
  status: number
  /** What the operation answered; undefined when it was refused. */
  data: T
  /** The code of a refusal; undefined when there was none. */
  code: string | undefined
  details: Record<string, unknown> | null | undefined
  headers: Headers
  text: string
}

type Headed = Record<string, string>

/** Someone at a browser: keeps the session cookie they are given, and calls from an address of their own. */
export type Visitor = {
  cookie: string | null
  /** What makes the browser known to the account that signed in there. */
  device: string | null
  readonly address: string
  post: <T = Record<string, unknown>>(name: string, input?: unknown, headers?: Headed) => Promise<DashboardAnswer<T>>
  get: <T = Record<string, unknown>>(name: string, input?: unknown, headers?: Headed) => Promise<DashboardAnswer<T>>
  send: (path: string, init: Omit<RequestInit, 'headers'> & { headers?: Headed }) => Promise<DashboardAnswer>
}

export type TestDashboard = ReturnType<typeof testDashboard>

/**
 * The dashboard's front in process, on a database of the test file's own, with a clock that `clock.now` turns. An
 * answer that lets a stack, a query or a path through fails the test, and so does a 500.
 */
export function testDashboard(settings: Record<string, string> = {}) {
  const database = testDatabase()
  const clock = { now: new Date() }
  const { host } = new URL(settings.BASE_URL ?? 'http://dashboard.test')
  let runtime: Runtime | null = null
  let dashboard: Dashboard | null = null
  beforeAll(() => {
    runtime = testServices(database.db, settings, () => clock.now)
    dashboard = createDashboard(runtime)
  })
  return {
    clock,
    databaseUrl: database.url,
    /** Turns the clock on. */
    pass: (ms: number) => {
      clock.now = new Date(clock.now.getTime() + ms)
    },
    get db(): Db {
      return database.db
    },
    get runtime(): Runtime {
      return required(runtime)
    },
    visitor: (address = randomAddress()): Visitor => visitorOf(() => required(dashboard), address, host),
    /** Gives a member `PASSWORD` and signs them in. Someone with a second factor needs `code`. */
    async signIn(member: { userId: string; email: string }, code?: string): Promise<Visitor> {
      await setPassword(database.db, member.userId)
      const person = this.visitor()
      const answer = await person.post('auth.signIn', { email: member.email, password: PASSWORD, code })
      if (answer.status !== 200) throw new Error(`Signing in answered ${answer.text}`)
      return person
    },
  }
}

let hashed: Promise<string> | null = null

/** Makes `PASSWORD` the password of an account that a factory made without one. */
export async function setPassword(db: Db, userId: string): Promise<void> {
  hashed ??= hashPassword(PASSWORD)
  await db
    .update(users)
    .set({ passwordHash: await hashed })
    .where(eq(users.id, userId))
}

/** Someone calling a front that the test made itself. */
export function visitorOf(dashboard: () => Dashboard, address = randomAddress(), host = 'dashboard.test'): Visitor {
  const self: Visitor = {
    cookie: null,
    device: null,
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
      const kept = [self.cookie, self.device].filter((value) => value !== null)
      if (kept.length > 0 && !headers.has('cookie')) headers.set('cookie', kept.join('; '))
      const request = new Request(`http://dashboard.test${path}`, { ...init, headers })
      const response = await dashboard()(request, { address })
      const [session, device] = response.headers.getSetCookie()
      if (session) self.cookie = session.includes('Max-Age=0') ? null : (session.split(';')[0] as string)
      if (device) self.device = device.split(';')[0] as string
      return readDashboardAnswer(response)
    },
  }
  return self
}

async function readDashboardAnswer(response: Response): Promise<DashboardAnswer> {
  const text = await response.text()
  if (response.status === 500 || /node_modules|\.ts:\d|select |insert into|Failed query/.test(text)) {
    throw new Error(`The dashboard answered ${response.status}: ${text}`)
  }
  const { result, error } = JSON.parse(text)
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

/** A fresh address, so that no test spends another's budget. */
export function randomAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`
}

function required<T>(value: T | null): T {
  if (value === null) throw new Error('There from beforeAll on')
  return value
}
