'use client'

import { Fieldset, Input, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

/** Groups the fields of a picker under one label. */
export function PickerFrame({
  label,
  description,
  children,
}: {
  label: string
  description?: string
  children: ReactNode
}) {
  return (
    <Fieldset variant="unstyled" m={0} p={0} legend={<Input.Label component="span">{label}</Input.Label>}>
      <Stack gap="xs">
        {description && <Input.Description>{description}</Input.Description>}
        {children}
      </Stack>
    </Fieldset>
  )
}
