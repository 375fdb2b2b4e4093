'use client'

import { Code, List, Text, Title } from '@mantine/core'
import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/layout/section.tsx'
import { GuideTable } from './guide-table.tsx'
import { WEBHOOK_MESSAGE, WEBHOOK_TEMPLATE } from './webhook-message.ts'

/** Explains what webhooks send: the messages of generic webhooks, their signatures, and the presets. */
export function WebhookSections() {
  return (
    <>
      <Section
        title="Messages of webhooks"
        intro="A generic webhook gets one JSON message per event of the resources that it is bound to."
      >
        <CodeBlock label="A message" text={WEBHOOK_MESSAGE} />
        <GuideTable
          head={['Type', 'What happened']}
          rows={[
            ['service.failed', 'A failure was confirmed, and an incident was opened.'],
            [
              'service.recovered',
              <>
                The incident is closed. <Code>data.incident.downMs</Code> is how long the service was down, in
                milliseconds. Where <Code>alertOnRecovery</Code> is false, only PagerDuty and Opsgenie get it.
              </>,
            ],
            [
              'service.reminder',
              <>
                The incident is still open and not acknowledged. Sent where <Code>remindMinutes</Code> is not 0.
              </>,
            ],
            [
              'certificate.expiring',
              <>
                A certificate of a target expires soon. <Code>data.certificate</Code> has <Code>host</Code>,{' '}
                <Code>notAfter</Code>, <Code>daysLeft</Code>, <Code>subject</Code> and <Code>issuer</Code>.
              </>,
            ],
            ['webhook.test', 'A member sent a test. The resources in it do not exist.'],
          ]}
        />
        <List spacing="xs">
          <List.Item>
            <Code>data.failure</Code> says what failed: <Code>cause</Code> in words, and in parts the first failing
            step, the failed assertion, the <Code>error</Code> if there was no response, the <Code>phase</Code> in which
            a timeout fell, and the first 500 characters of a text body as <Code>excerpt</Code>, without secrets. It is
            null after a recovery.
          </List.Item>
          <List.Item>
            <Code>data.links</Code> is there if the operator has set <Code>BASE_URL</Code>. New types and fields may be
            added, so ignore those that you do not know.
          </List.Item>
          <List.Item>
            Any 2xx status within 15 seconds ends the delivery. Otherwise it is repeated with the same{' '}
            <Code>webhook-id</Code> for a day; 410 ends it. Use the id to ignore a message that you have already
            handled.
          </List.Item>
        </List>
        <Title order={3} fz="md">
          Templates
        </Title>
        <Text>
          A template replaces the message. Its placeholders are <Code>{'{{summary}}'}</Code> (one sentence),{' '}
          <Code>{'{{title}}'}</Code> (the subject of the mail), <Code>{'{{type}}'}</Code>,{' '}
          <Code>{'{{timestamp}}'}</Code> and every field of <Code>data</Code> by its path. A placeholder that no message
          has is refused when you save the webhook. A field that only other types have is empty, and null where JSON
          expects a value.
        </Text>
        <CodeBlock label="A template" text={WEBHOOK_TEMPLATE} />
        <Title order={3} fz="md">
          Signatures
        </Title>
        <Text>
          Messages are signed as Standard Webhooks describes. <Code>webhook-signature</Code> has one signature per valid
          secret, separated by spaces: for 24 hours after you create a new secret, the previous one is valid too. Accept
          a message if one of the signatures is right.
        </Text>
      </Section>

      <Section
        title="Presets of webhooks"
        intro="For these services a webhook needs no template. Keys, tokens and secret URLs are stored encrypted and never shown again. If you change the API address to another host, enter the key or token again."
      >
        <GuideTable
          head={['Service', 'It needs', 'What it gets']}
          rows={[
            ['Slack', 'The URL of an incoming webhook', 'A message with the cause, the facts and the links'],
            ['Microsoft Teams', 'The URL of a workflow that receives webhook requests', 'An adaptive card'],
            ['Discord', 'The URL of a webhook of the channel', 'An embed that mentions nobody'],
            [
              'PagerDuty',
              'The integration key of an Events API V2 integration, and the region',
              'One alert per incident, which the recovery resolves',
            ],
            [
              'Opsgenie',
              'The key of an API integration, and the region',
              'One alert per incident, which the recovery closes',
            ],
            ['Telegram', 'The token of a bot that is in the chat, and the chat', 'A message'],
          ]}
        />
        <Text>
          Reminders and the recovery belong to the alert of their incident. Where <Code>alertOnRecovery</Code> is false,
          nobody is told of the recovery, but it still closes the alert. A failure or reminder that could not be sent
          before the incident was over is not sent. An expiring certificate is an alert of its own with a lower
          severity; close it after you have renewed the certificate. A test opens an alert of low severity, which you
          close there too. <Code>Send a test</Code> shows what the service responded.
        </Text>
      </Section>
    </>
  )
}
