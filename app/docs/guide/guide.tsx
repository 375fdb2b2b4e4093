'use client'

import { Anchor, Code, List, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { Link } from '../../components/layout/link.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Section } from '../../components/layout/section.tsx'
import { RUN_AND_WAIT_SHELL, RUN_AND_WAIT_TYPESCRIPT } from './scripts.ts'

const FIRST_CALL = `curl -sS -H "Authorization: Bearer $SOUNDLINE_KEY" "$SOUNDLINE_URL/api/public/v1/key"`

/** What holds for every operation, and how a pipeline runs a service and waits for what comes of it. */
export function Guide() {
  return (
    <PageFrame
      title="API guide"
      intro={
        <>
          What holds for every operation. Each of them is in the{' '}
          <Anchor component={Link} href="/docs" inherit underline="always">
            reference
          </Anchor>
          , with its fields, its answers and its error codes.
        </>
      }
    >
      <Section title="Keys" intro="A key is made by a member, acts as that member, and may do what the member may.">
        <List spacing="xs">
          <List.Item>
            Make one under{' '}
            <Anchor component={Link} href="/account/keys" inherit underline="always">
              API keys
            </Anchor>
            . It is shown once. Keep it where your pipeline keeps its secrets.
          </List.Item>
          <List.Item>
            Send it with every request as <Code>Authorization: Bearer …</Code>. There is no other way to send it.
          </List.Item>
          <List.Item>
            A read key may send GET and HEAD only; anything else answers 403 <Code>api_key_read_only</Code>.
          </List.Item>
          <List.Item>
            What the member may not see answers 404 <Code>not_found</Code>, just as if it were not there.
          </List.Item>
        </List>
        <Text>Ask which key you hold:</Text>
        <CodeBlock label="First call" text={FIRST_CALL} wrap />
      </Section>

      <Section title="Limits">
        <List spacing="xs">
          <List.Item>
            A key may send 300 requests a minute, unless the operator set another budget. Refused requests count too.
            Answers tell the budget in <Code>X-RateLimit-Limit</Code> and what is left in{' '}
            <Code>X-RateLimit-Remaining</Code>.
          </List.Item>
          <List.Item>
            Over it, requests answer 429 <Code>rate_limited</Code> with <Code>Retry-After</Code> in seconds. Wait that
            long; the next request is then admitted.
          </List.Item>
          <List.Item>
            An address that sends 30 requests a minute without a known key is answered 429{' '}
            <Code>too_many_unknown_keys</Code>. A key used within the last five minutes still works from there.
          </List.Item>
          <List.Item>A body is at most 1 MiB, a script 65,536 characters, a stored response body 4 MiB.</List.Item>
          <List.Item>
            What a run may send, compute and leave behind is bounded too: see Bounds in the reference of the language.
          </List.Item>
        </List>
      </Section>

      <Section
        title="Errors"
        intro="Every refusal is JSON with a stable code. Match on the code, never on a text, and take one you do not know for a failure: new ones may come."
      >
        <CodeBlock
          label="An error"
          text={'{ "error": "field_invalid", "details": { "field": "pageSize", "max": 100 } }'}
          wrap
        />
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Status</Table.Th>
              <Table.Th>What to do</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <StatusRow status="400">
              Mend the request; <Code>details.field</Code> names what is wrong with it.{' '}
              <Code>invalid_request_body</Code> without details: what was sent is no JSON object, holds more than 10,000
              values, or the header <Code>Content-Type: application/json</Code> is missing.
            </StatusRow>
            <StatusRow status="401, 403">
              Use another key, or ask for what it lacks. Asking again does not help.
            </StatusRow>
            <StatusRow status="404">It is not there, or not for this key.</StatusRow>
            <StatusRow status="409">
              The state is in the way. After <Code>version_conflict</Code>, read the service again and write with its
              version.
            </StatusRow>
            <StatusRow status="410">The stored body is gone for good.</StatusRow>
            <StatusRow status="429, 503">
              Wait <Code>Retry-After</Code> seconds, then ask again. After a write that answered 503, look first whether
              it was made: its answer may have been lost.
            </StatusRow>
            <StatusRow status="500">
              Our mistake. Give the <Code>X-Request-Id</Code> of the answer to the operator.
            </StatusRow>
          </Table.Tbody>
        </Table>
      </Section>

      <Section
        title="Scripts that are refused"
        intro="Saving a script and switching its service on judge what the script does, as far as that is known before a run. Every run judges it again."
      >
        <List spacing="xs">
          <List.Item>
            400 <Code>blocked_probe_target</Code>: a call goes where no probe may go. That is an address that is
            private, loopback, reserved or one of the server's own; a name internal to a network; a scheme other than
            http and https; a URL with a user or a password in it (send an <Code>Authorization</Code> header instead);
            or a port that belongs to another protocol, such as 22, 25 or 6667. <Code>details.callIndex</Code> counts
            calls from 0, and <Code>details.reason</Code> says which it is. In a run, the call fails with the same code.
          </List.Item>
          <List.Item>
            400 <Code>unverified_domain_call_limit</Code>, <Code>unverified_domain_includes</Code>,{' '}
            <Code>unverified_domain_interval</Code>: the script does more than a domain allows that your organization
            has not verified.
          </List.Item>
          <List.Item>
            400 <Code>field_invalid</Code> on <Code>script</Code> for anything else; <Code>details.errors</Code> lists
            every problem with its line.
          </List.Item>
        </List>
      </Section>

      <Section
        title="Secrets and their hosts"
        intro="Every script beneath a secret can send it. Name the hosts it may go to, and it goes nowhere else."
      >
        <CodeBlock
          label="A secret with its hosts"
          text={
            '{ "key": "token", "type": "secret", "value": "…", "allowedHosts": ["api.example.com", "*.example.net:8443"] }'
          }
          wrap
        />
        <List spacing="xs">
          <List.Item>
            <Code>allowedHosts</Code> holds up to 20 hosts. <Code>*.example.net</Code> means every name beneath{' '}
            <Code>example.net</Code>, a port means that port alone. An empty list allows any host, and so does none when
            the variable is made; a change without the field leaves the hosts as they are.
          </List.Item>
          <List.Item>
            A script that sends the secret elsewhere is refused with <Code>SECRET_HOST_NOT_ALLOWED</Code> among{' '}
            <Code>details.errors</Code>. What only a run can know ends the run before anything is sent, redirects
            included, and its result says why.
          </List.Item>
          <List.Item>
            For a variable of another type, <Code>allowedHosts</Code> answers 400 <Code>field_invalid</Code>.
          </List.Item>
        </List>
      </Section>

      <Section title="Paging">
        <Text>
          Lists answer <Code>{'{ items, total, page, pageSize }'}</Code>. Ask for <Code>page</Code> from 1, with a{' '}
          <Code>pageSize</Code> of at most 100; without one you get 50. Results come newest first, and{' '}
          <Code>since</Code> leaves out what started earlier; most other lists are oldest first, so that what is added
          while you read comes at the end. Pages end at 100,000 rows: to read older results, send the start of the last
          one as <Code>until</Code>, and drop those whose id you have seen.
        </Text>
      </Section>

      <Section
        title="Run and wait in a pipeline"
        intro="Ask for a run after a deployment, and let the pipeline fail when the run does."
      >
        <Text>
          A run is accepted with 202 and happens by itself. Its result is found by listing results <Code>since</Code>{' '}
          the answer's <Code>requestedAt</Code>. A scheduled run may land first: it ran just as late, and says the same
          about what is deployed.
        </Text>
        <Title order={3} fz="md">
          Shell
        </Title>
        <CodeBlock label="Shell script" text={RUN_AND_WAIT_SHELL} />
        <Title order={3} fz="md">
          TypeScript
        </Title>
        <Text>
          <Code>npm run client -- soundline-client</Code>, in the folder of Soundline, writes a typed client. Copy it
          beside the script, install <Code>openapi-fetch</Code>, and start the script with <Code>node</Code>. Other
          languages have generators for the{' '}
          <Anchor href="/api/openapi/public/v1.json" inherit underline="always">
            OpenAPI document
          </Anchor>
          .
        </Text>
        <CodeBlock label="TypeScript script" text={RUN_AND_WAIT_TYPESCRIPT} />
      </Section>

      <Section title="Versions">
        <Text>
          Within version 1 the API only grows: new operations, new optional fields to send, new fields to read. Ignore
          fields you do not know. What cannot be done that way will be version 2, beside this one.
        </Text>
      </Section>
    </PageFrame>
  )
}

function StatusRow({ status, children }: { status: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap', verticalAlign: 'top' }}>{status}</Table.Td>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  )
}
