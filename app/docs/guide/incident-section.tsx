'use client'

import { Code, List } from '@mantine/core'
import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/layout/section.tsx'

const OPEN_INCIDENTS = `curl -sS -H "Authorization: Bearer $SOUNDLINE_KEY" "$SOUNDLINE_URL/api/public/v1/incidents?state=open"`

/** Explains incidents, acknowledgements, notes and reminders. */
export function IncidentSection() {
  return (
    <Section
      title="Incidents"
      intro="An incident is one period in which a service is failed: from the confirmed failure to the recovery."
    >
      <CodeBlock label="List open incidents" text={OPEN_INCIDENTS} wrap />
      <List spacing="xs">
        <List.Item>
          <Code>GET /incidents</Code> lists the incidents of all services that the member can read, open ones first and
          newest first. Filter them with <Code>state</Code> and with one of <Code>serviceId</Code>,{' '}
          <Code>projectId</Code> and <Code>workspaceId</Code>.
        </List.Item>
        <List.Item>
          <Code>summary</Code> is the cause in one line, and <Code>failure</Code> describes it in parts.{' '}
          <Code>failingSince</Code> is the start of the first failing run. <Code>openedAt</Code> is the start of the run
          with which the failure was confirmed. <Code>durationMs</Code> counts from <Code>failingSince</Code>.
        </List.Item>
        <List.Item>
          <Code>GET /incidents/{'{id}'}</Code> adds the notes and the timeline: state changes, reminders, messages that
          were sent or not and why, and the acknowledgement. Names of other members need the permission to read Users,
          names of webhooks the permission to read Webhooks.
        </List.Item>
        <List.Item>
          While an incident is open and not acknowledged, reminders are sent every <Code>remindMinutes</Code>, a system
          variable of the service. 0 means never. A service that is switched off sends no reminders.
        </List.Item>
        <List.Item>
          <Code>POST /incidents/{'{id}'}/acknowledge</Code> stops the reminders. The first acknowledgement stays:
          another one returns 200 and changes nothing. A closed incident can be acknowledged too, to say who looked into
          it. <Code>POST /incidents/{'{id}'}/notes</Code> adds a note of up to 4,096 characters; an incident has at most
          500 notes (<Code>note_limit_reached</Code>). Both need write access to the service, otherwise they return 404.
        </List.Item>
        <List.Item>
          Closed incidents are deleted with the results of their time. Open incidents are kept, however old they are.
        </List.Item>
      </List>
    </Section>
  )
}
