import { Code, List, Text } from '@mantine/core'
import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/layout/section.tsx'

const ALERTING = `{
  "settings": { "confirmFailures": 2, "alertOnRecovery": true, "remindMinutes": 60 },
  "hasListener": true,
  "isMailConfigured": true,
  "recipients": [{
    "orgUserId": "019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81", "name": "Ada Lovelace", "email": "ada@example.com",
    "heardThrough": [{ "kind": "group", "group": "DevOps", "resourceType": "workspace", "resourceName": "Shop" }],
    "isSilenced": true, "silencedReason": "quiet hours", "silencedUntil": "2026-11-23T06:00:00.000Z", "silence": null
  }],
  "recipientsTotal": 1,
  "webhooks": null,
  "webhooksTotal": 2
}`

/** Explains who is notified of a service, and how a program can check it before a failure. */
export function AlertingSection() {
  return (
    <Section
      title="Who is notified of a failure"
      intro="GET /services/{id}/alerting returns who would be notified if the service failed now, why, and what silences whom until when."
    >
      <CodeBlock label="The alerting of a service, shortened" text={ALERTING} />
      <List spacing="xs">
        <List.Item>
          Members get mails about a service if they or one of their groups have a grant on it, its project or its
          workspace, or if they follow one of these at the dashboard. A follow counts only as long as the member can
          read the service. The permission on all workspaces alone sends no mail.
        </List.Item>
        <List.Item>
          If the service has neither an active member nor a webhook with an enabled binding to notify,{' '}
          <Code>hasListener</Code> is false and the owner of the organization is notified. A member with a silence still
          counts.
        </List.Item>
        <List.Item>
          <Code>silencedUntil</Code> is null when the mail is sent now, and for a silence without an end.{' '}
          <Code>isSilenced</Code> tells the two apart. <Code>silence</Code> is set only for a silence of your own.
        </List.Item>
        <List.Item>
          The names, addresses and groups of other members need read on Users, and <Code>webhooks</Code> needs read on
          Webhooks. Without the latter, <Code>webhooks</Code> is null and <Code>webhooksTotal</Code> is the number of
          bound webhooks.
        </List.Item>
        <List.Item>
          The three settings are the system variables of the service: change them with{' '}
          <Code>{'PATCH /services/{id}/variables/{varId}'}</Code>.
        </List.Item>
      </List>
      <Text>
        A silence whose <Code>until</Code> has passed is refused with <Code>field_invalid</Code> for <Code>config</Code>
        . A member has at most 200 silences; the next one is refused with <Code>silence_limit_reached</Code>.
      </Text>
    </Section>
  )
}
