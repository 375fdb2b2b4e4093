'use client'

import { Radio, type RadioGroupProps, Stack } from '@mantine/core'

/** A choice of one, with the options below each other. `children` are the `Radio` options. */
export function RadioGroup({ children, ...group }: RadioGroupProps) {
  return (
    <Radio.Group {...group}>
      <Stack gap={6} mt={6}>
        {children}
      </Stack>
    </Radio.Group>
  )
}
