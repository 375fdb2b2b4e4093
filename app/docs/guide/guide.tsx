'use client'

import { Anchor, Code, List, Text, Title } from '@mantine/core'
import { CodeBlock } from '../../components/code-block.tsx'
import { Link } from '../../components/layout/link.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Section } from '../../components/layout/section.tsx'
import { AlertingSection } from './alerting-section.tsx'
import { FailureSection } from './failure-section.tsx'
import { GuideTable } from './guide-table.tsx'
import { IncidentSection } from './incident-section.tsx'
import { RUN_AND_WAIT_SHELL, RUN_AND_WAIT_TYPESCRIPT } from './scripts.ts'
import { StepsSection } from './steps-section.tsx'
import { WebhookSections } from './webhook-sections.tsx'

const FIRST_CALL = `curl -sS -H "Authorization: Bearer $SOUNDLINE_KEY" "$SOUNDLINE_URL/api/public/v1/key"`

/** Explains what all operations have in common, and how a pipeline runs a service and waits for its result. */
export function Guide() {
  return (
    <PageFrame
      title="API guide"
      intro={
        <>
          This guide describes what all operations have in common. The{' '}
          <Anchor component={Link} href="/docs" inherit underline="always">
            reference
          </Anchor>{' '}
          describes each operation with its fields, responses and error codes.
        </>
      }
    >
      <Section title="Keys" intro="A member creates a key. The key acts as that member, with the member's permissions.">
        <List spacing="xs">
          <List.Item>
            Create a key under{' '}
            <Anchor component={Link} href="/account/keys" inherit underline="always">
              API keys
            </Anchor>
            . It is shown once. Store it with the secrets of your pipeline.
          </List.Item>
          <List.Item>
            Send it with every request as <Code>Authorization: Bearer …</Code>. No other way is supported.
          </List.Item>
          <List.Item>
            A read key may send only GET and HEAD. Other methods return 403 <Code>api_key_read_only</Code>.
          </List.Item>
          <List.Item>
            A resource that the member may not see returns 404 <Code>not_found</Code>, as if it did not exist.
          </List.Item>
        </List>
        <Text>This request returns the details of the key:</Text>
        <CodeBlock label="First call" text={FIRST_CALL} wrap />
      </Section>

      <Section title="Limits">
        <List spacing="xs">
          <List.Item>
            A key may send 300 requests per minute, unless the operator has set another limit. Refused requests count
            too. Responses have the limit in <Code>X-RateLimit-Limit</Code> and the remaining requests in{' '}
            <Code>X-RateLimit-Remaining</Code>.
          </List.Item>
          <List.Item>
            Above the limit, requests return 429 <Code>rate_limited</Code> with <Code>Retry-After</Code> in seconds.
            After this time the next request is accepted.
          </List.Item>
          <List.Item>
            An IP address that sends 30 requests per minute without a valid key gets 429{' '}
            <Code>too_many_unknown_keys</Code>. A key that was used in the last five minutes still works from this
            address.
          </List.Item>
          <List.Item>
            A request body may have at most 1 MiB, a script 65,536 characters, and a stored response body 4 MiB.
          </List.Item>
          <List.Item>Runs have limits too: see Bounds in the reference of the script language.</List.Item>
        </List>
      </Section>

      <Section
        title="Errors"
        intro="Every error response is JSON with a stable code. Match on the code, never on the text. New codes may be added, so treat an unknown code as a failure."
      >
        <CodeBlock
          label="An error"
          text={
            '{ "error": "field_invalid", "details": { "field": "pageSize", "reason": "must be at most 100", "max": 100 } }'
          }
          wrap
        />
        <Text>
          Unknown body fields and unknown query parameters are ignored, so check the spelling of optional ones. Only{' '}
          <Code>filters</Code> and <Code>sorters</Code> on a list are refused, because lists cannot be filtered or
          sorted with them.
        </Text>
        <GuideTable
          head={['Status', 'What to do']}
          rows={[
            [
              '400',
              <>
                Correct the request. <Code>details.field</Code> names the field with the error.{' '}
                <Code>invalid_request_body</Code> without details means that the body is not a JSON object, that it has
                more than 10,000 values, or that the header <Code>Content-Type: application/json</Code> is missing.
              </>,
            ],
            ['401, 403', <>Use another key, or request the missing permission. A retry does not help.</>],
            ['404', <>The resource does not exist, or this key has no access to it.</>],
            [
              '409',
              <>
                The request conflicts with the current state. After <Code>version_conflict</Code>, read the service
                again and send its version.
              </>,
            ],
            ['410', <>The stored body was deleted and cannot be restored.</>],
            [
              '429, 503',
              <>
                Wait <Code>Retry-After</Code> seconds, then retry. A write that returned 503 may have succeeded, so
                check before you retry it.
              </>,
            ],
            [
              '500',
              <>
                An error in Soundline. Send the <Code>X-Request-Id</Code> of the response to the operator.
              </>,
            ],
          ]}
        />
      </Section>

      <Section
        title="Refused scripts"
        intro="The server checks a script when you save it and when you switch its service on, as far as possible without a run. Every run checks it again."
      >
        <List spacing="xs">
          <List.Item>
            400 <Code>blocked_probe_target</Code>: the target of a call is blocked. Blocked are private, loopback and
            reserved addresses and those of the server; names of an internal network; schemes other than http and https;
            URLs with a user or a password (send an <Code>Authorization</Code> header instead); and ports of other
            protocols, such as 22, 25 or 6667. <Code>details.callIndex</Code> is the index of the call, from 0, and{' '}
            <Code>details.reason</Code> is the cause. In a run, the call fails with the same code.
          </List.Item>
          <List.Item>
            400 <Code>unverified_domain_call_limit</Code>, <Code>unverified_domain_includes</Code>,{' '}
            <Code>unverified_domain_interval</Code>: the script exceeds the limits for domains that your organization
            has not verified.
          </List.Item>
          <List.Item>
            400 <Code>field_invalid</Code> for the field <Code>script</Code>: any other error.{' '}
            <Code>details.errors</Code> lists every error with its line.
          </List.Item>
        </List>
      </Section>

      <Section
        title="Secrets and their hosts"
        intro="Every script in the scope of a secret can send it. If the secret has allowed hosts, it is sent only to them."
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
            <Code>allowedHosts</Code> is an array of up to 20 hosts. <Code>*.example.net</Code> matches every subdomain
            of <Code>example.net</Code>. A host with a port matches only this port. An empty array allows any host. If
            you create a secret without the field, any host is allowed. If you update one without the field, its hosts
            stay the same.
          </List.Item>
          <List.Item>
            A script that sends the secret to another host is refused with <Code>SECRET_HOST_NOT_ALLOWED</Code> in{' '}
            <Code>details.errors</Code>. If only the run can know the host, as with a redirect, the run ends before it
            sends the secret, and its result has the reason.
          </List.Item>
          <List.Item>
            For a variable of another type, <Code>allowedHosts</Code> returns 400 <Code>field_invalid</Code>.
          </List.Item>
        </List>
      </Section>

      <Section
        title="Certificates"
        intro="Every service has the TLS certificates that its runs see, so a pipeline can check them without another tool."
      >
        <CodeBlock
          label="The certificates of a service"
          text={
            '"certificates": [{ "host": "shop.example", "notAfter": "2026-12-19T08:00:00.000Z", "daysLeft": 27, "subject": "shop.example", "issuer": "R11", "lastSeenAt": "2026-11-22T08:45:00.000Z" }]'
          }
          wrap
        />
        <List spacing="xs">
          <List.Item>
            There is one entry per host, with its port if it is not 443, and at most 50. The next to expire is first.
            The array is empty for a service without TLS. After a redirect, only the last host counts.
          </List.Item>
          <List.Item>
            While a host shows several certificates, for example to different agents, the entry is the one that expires
            first of those that are still seen. A host that no run has seen for a week is left out.
          </List.Item>
          <List.Item>
            <Code>certificate.expiring</Code> is sent 30, 14, 7, 3 and 1 days before the expiry, once each, while the
            service is switched on. A threshold that is not shorter than the validity of the certificate is left out.
          </List.Item>
        </List>
      </Section>

      <StepsSection />

      <FailureSection />

      <IncidentSection />

      <Section title="Paging">
        <Text>
          Lists return <Code>{'{ items, total, page, pageSize }'}</Code>. <Code>page</Code> starts at 1.{' '}
          <Code>pageSize</Code> is 50 by default and at most 100. Results are sorted newest first, and{' '}
          <Code>since</Code> leaves out results that started earlier. Incidents are sorted newest first too, open ones
          before closed ones. Most other lists are sorted oldest first, so new items appear at the end. You can page
          through the first 100,000 rows. To read older results, send the start time of the last result as{' '}
          <Code>until</Code>, and ignore results whose id you already have. <Code>status</Code>, <Code>agent</Code> and{' '}
          <Code>version</Code> select results further: <Code>status=failed</Code> means failures and timeouts, and{' '}
          <Code>version</Code> is a version of the script.
        </Text>
      </Section>

      <Section
        title="Run and wait in a pipeline"
        intro="Request a run after a deployment, and let the pipeline fail if the run fails."
      >
        <Text>
          The API accepts the request with 202, and a worker executes the run later. To find its result, list results
          with <Code>since</Code> set to the <Code>requestedAt</Code> of the response. A scheduled run may finish first.
          It started after the deployment too, so its result is just as good.
        </Text>
        <Title order={3} fz="md">
          Shell
        </Title>
        <CodeBlock label="Shell script" text={RUN_AND_WAIT_SHELL} />
        <Title order={3} fz="md">
          TypeScript
        </Title>
        <Text>
          Run <Code>npm run client -- soundline-client</Code> in the folder of Soundline to generate a typed client.
          Copy the client next to the script, install <Code>openapi-fetch</Code>, and start the script with{' '}
          <Code>node</Code>. For other languages, use a generator for the{' '}
          <Anchor href="/api/openapi/public/v1.json" inherit underline="always">
            OpenAPI document
          </Anchor>
          .
        </Text>
        <CodeBlock label="TypeScript script" text={RUN_AND_WAIT_TYPESCRIPT} />
      </Section>

      <AlertingSection />

      <WebhookSections />

      <Section title="Versions">
        <Text>
          Version 1 gets only additions: new operations, new optional request fields and new response fields. Ignore
          fields that you do not know. Breaking changes will be version 2, which will exist next to version 1.
        </Text>
      </Section>
    </PageFrame>
  )
}
