import { Textarea } from '@mantine/core'

/** The field for the allowed hosts of a secret. */
export function HostsInput(props: Record<string, unknown>) {
  return (
    <Textarea
      label="Allowed hosts"
      description="One per line, such as api.example.com, *.example.com or api.example.com:8443. A run that would send the secret to another host ends before it sends anything. If the field is empty, any host is allowed."
      autosize
      minRows={2}
      maxRows={10}
      autoComplete="off"
      spellCheck={false}
      {...props}
    />
  )
}
