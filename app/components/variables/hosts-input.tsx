import { Textarea } from '@mantine/core'

/** The field of the hosts that a secret may be sent to. */
export function HostsInput(props: Record<string, unknown>) {
  return (
    <Textarea
      label="Allowed hosts"
      description="One a line, such as api.example.com, *.example.com or api.example.com:8443. A run that would send the secret elsewhere ends before anything is sent. Empty: any host."
      autosize
      minRows={2}
      maxRows={10}
      autoComplete="off"
      spellCheck={false}
      {...props}
    />
  )
}
