'use client'

import { Anchor, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { mutation } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'
import { notify } from '../../client/notify.ts'
import { Link } from '../layout/link.tsx'
import { Section } from '../layout/section.tsx'
import { ProblemAlert } from '../problem-alert.tsx'

/** The receivers that the question names; the form of a new webhook has the others. */
const RECEIVERS = [
  { preset: 'slack', label: 'Slack' },
  { preset: 'teams', label: 'Teams' },
  { preset: 'discord', label: 'Discord' },
  { preset: 'pagerduty', label: 'PagerDuty' },
  { preset: 'telegram', label: 'Telegram' },
  { preset: 'json', label: 'A webhook' },
]

/** Asks where alerts should go. */
export function AskedQuestion() {
  const me = useMe()
  const answer = useMutation({
    ...mutation('organization.alertQuestion.answer'),
    onSuccess: (_, { to }) => {
      if (to === 'mail') notify({ color: 'teal', message: `Alerts go to ${me.user.email}.` })
    },
  })
  return (
    <Section
      title="Where should alerts go?"
      intro="The first run has passed. Choose who is notified when a service fails. You can change it at any time."
    >
      <ProblemAlert error={answer.error} />
      <Group gap="xs">
        {me.sendsMail && (
          <Button size="xs" variant="default" loading={answer.isPending} onClick={() => answer.mutate({ to: 'mail' })}>
            Mail to {me.user.email}
          </Button>
        )}
        {RECEIVERS.map(({ preset, label }) => (
          <Button key={preset} component={Link} href={`/webhooks?new=${preset}`} size="xs" variant="default">
            {label}
          </Button>
        ))}
        <Button size="xs" variant="subtle" loading={answer.isPending} onClick={() => answer.mutate({ to: 'later' })}>
          Later
        </Button>
      </Group>
      {!me.sendsMail && <NoMail isOperator={me.isOperator} />}
    </Section>
  )
}

function NoMail({ isOperator }: { isOperator: boolean }) {
  return (
    <Text size="sm">
      Mail is not configured.{' '}
      {isOperator ? (
        <>
          To send mails, set <code>SMTP_URL</code> and <code>MAIL_FROM</code>, as the{' '}
          <Anchor component={Link} href="/docs/operate/mail#set-up-mail" inherit underline="always">
            settings
          </Anchor>{' '}
          say.
        </>
      ) : (
        <>
          To get mails, ask who operates this installation to set <code>SMTP_URL</code>.
        </>
      )}
    </Text>
  )
}
