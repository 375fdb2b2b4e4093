'use client'

import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack } from '@mantine/core'

/** Shown once, when the codes are created. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Stack>
      <Alert variant="light" color="orange" title="Save these recovery codes">
        Use one to sign in when you do not have your authenticator app or passkey. Each code works once. They are not
        shown again.
      </Alert>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" component="ul" p={0} m={0} aria-label="Recovery codes">
        {codes.map((code) => (
          <Code key={code} component="li" fz="sm" p="xs" ta="center" style={{ listStyle: 'none' }}>
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy all'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>I have saved the codes</Button>
      </Group>
    </Stack>
  )
}
