import { sampleMessage, type WebhookMessage } from './messages.ts'

/** A name that breaks JSON unless it is escaped. */
const NAME = '"\\\n'
const ID = '00000000-0000-0000-0000-000000000000'
const AT = new Date(0).toISOString()

const links = { service: NAME, result: NAME, incident: NAME }
const test = sampleMessage({ id: ID, name: NAME })
const { organization, workspace, project, service, incident, result, failure, agents } = test.data as Record<
  string,
  object
>
const flapping = { since: AT, from: AT, until: AT, failures: 3 }
const place = { organization, workspace, project, service: { ...service, name: NAME }, links }

/** One message of every kind, with every field that such a message can have: the fields that templates may name. */
export const SAMPLES: WebhookMessage[] = [
  { ...test, data: { ...test.data, links } },
  sample('service.failed', { ...place, incident, result, failure: { ...failure, cause: NAME }, agents }),
  sample('service.failed', {
    ...place,
    incident,
    result: { ...result, error: NAME },
    failure: {
      ...failure,
      step: null,
      error: NAME,
      phase: NAME,
      excerpt: null,
      assertion: {
        stepNum: 1,
        method: 'assert',
        expression: NAME,
        actualLhs: 1,
        actualRhs: NAME,
        scope: null,
        op: null,
        expected: null,
        actual: null,
      },
    },
    agents,
  }),
  sample('service.recovered', {
    ...place,
    incident: { ...incident, downMs: 1 },
    result: { ...result, status: 'success', assertions: [] },
    failure: null,
    agents,
  }),
  sample('service.flapping', { ...place, incident, result, failure, agents, flapping }),
  sample('service.reminder', { ...place, incident, failure, agents }),
  sample('certificate.expiring', {
    ...place,
    certificate: { host: NAME, notAfter: AT, daysLeft: 7, subject: NAME, issuer: NAME },
  }),
  ...['agent.lost', 'agent.back'].map((type) =>
    sample(type, {
      organization,
      agent: { id: ID, slug: 'local', label: NAME },
      lastSeenAt: AT,
      services: { total: 1, names: [NAME] },
    }),
  ),
]

function sample(type: string, data: Record<string, unknown>): WebhookMessage {
  return { type, timestamp: AT, data }
}
