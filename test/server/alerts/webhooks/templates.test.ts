import { expect, test } from 'vitest'
import { sampleMessage, type WebhookMessage, withLinks } from '#server/alerts/webhooks/messages.ts'
import { SAMPLES } from '#server/alerts/webhooks/samples.ts'
import { MessageTooLongError, renderTemplate, templateProblem } from '#server/alerts/webhooks/templates.ts'

const JSON_TYPE = 'application/json'
const FAILED: WebhookMessage = { ...sampleMessage({ id: 'o', name: 'Acme' }), type: 'service.failed' }
const CERTIFICATE = SAMPLES.find(({ type }) => type === 'certificate.expiring') as WebhookMessage

test.each([
  '{"text": "{{summary}}"}',
  '{"text": "{{ title }}", "type": "{{type}}", "at": "{{timestamp}}"}',
  '{"cause": "{{failure.cause}}", "code": {{failure.step.statusCode}}, "more": {{failure.moreFailed}}}',
  '{"expected": {{failure.assertion.expected}}, "expression": "{{failure.assertion.expression}}"}',
  '{"incident": "{{links.incident}}", "result": "{{links.result}}", "down": {{incident.downMs}}}',
  '{"host": "{{certificate.host}}", "days": {{certificate.daysLeft}}, "agents": {{agents}}}',
  '{"agent": "{{agent.slug}}", "names": {{services.names}}, "seen": "{{lastSeenAt}}"}',
  // Before failures and incidents were part of messages.
  '{"text": "{{service.name}}: {{result.error}}", "ms": {{result.totalResponseMs}}, "all": {{result.assertions}}}',
  '{"nested": "{{result}}"}',
])('%s is a template', (template) => {
  expect(templateProblem(template, JSON_TYPE)).toBeNull()
  for (const message of SAMPLES) JSON.parse(renderTemplate(template, JSON_TYPE, message))
})

test.each([
  ['{"text": "{{nobody}}"}', '{{nobody}}'],
  ['{"text": "{{service.x}}"}', '{{service.x}}'],
  ['{"text": "{{service-name}}"}', '{{service-name}}'],
  ['{"text": "{{}}"}', '{{}}'],
  ['{"text": "{{summary.length}}"}', '{{summary.length}}'],
  ['{"text": "{{__proto__}}"}', '{{__proto__}}'],
  ['{"text": "{{failure.constructor}}"}', '{{failure.constructor}}'],
])('%s has an unknown field', (template, found) => {
  expect(templateProblem(template, JSON_TYPE)).toBe(`must not contain ${found}, which is not part of a message`)
})

test.each(['text', '{"text": {{summary}}}', '{"text": "{{summary}}', '{"a": {{service.name}}, "b": "x"}'])(
  '%s is not JSON',
  (template) => expect(templateProblem(template, JSON_TYPE)).toMatch(/^must be JSON/),
)

test('text may be anything', () => {
  expect(templateProblem('{{service.name}} "is" down: {{failure.cause}}', 'text/plain')).toBeNull()
  expect(renderTemplate('{{service.name}}: {{failure.cause}}!', 'text/plain', FAILED)).toBe(
    'Example service: status 500, expected 200!',
  )
})

test('a field that a message lacks is empty, and null where JSON expects a value', () => {
  const template = '{"ms": {{result.totalResponseMs}}, "error": "{{result.error}}", "link": "{{links.incident}}"}'
  expect(JSON.parse(renderTemplate(template, JSON_TYPE, CERTIFICATE))).toMatchObject({ ms: null, error: '' })
  expect(JSON.parse(renderTemplate(template, JSON_TYPE, FAILED))).toEqual({ ms: 100, error: '', link: '' })
  const linked = withLinks(FAILED, 'https://probes.example.com')
  expect(JSON.parse(renderTemplate(template, JSON_TYPE, linked)).link).toMatch(
    /^https:\/\/probes.example.com\/incidents/,
  )
  expect(renderTemplate('[{{certificate.host}}]', 'text/plain', FAILED)).toBe('[]')
})

test('values cannot break out of their place', () => {
  const name = '", "admin": true, "x": "\\'
  const message = { ...FAILED, data: { ...FAILED.data, service: { id: 's', name } } }
  const template = '{"a\\"": "{{service.name}}", "all": "{{service}}", "service": {{service}}}'
  expect(JSON.parse(renderTemplate(template, JSON_TYPE, message))).toEqual({
    'a"': name,
    all: JSON.stringify({ id: 's', name }),
    service: { id: 's', name },
  })
})

test('a template that grows without bound is refused, and so is its message', () => {
  const template = `"${'{{agents}}{{result}}'.repeat(800)}"`
  expect(template.length).toBeLessThan(16_384 + 3)
  expect(templateProblem(template, JSON_TYPE)).toBe('the message is longer than 256 KiB')
  expect(() => renderTemplate(template, JSON_TYPE, FAILED)).toThrow(MessageTooLongError)
})
