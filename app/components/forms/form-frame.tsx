'use client'

import { Button, type ButtonProps, Fieldset, Group, Stack } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { ProblemAlert } from '../problem-alert.tsx'

export type FormFrameProps = {
  submit: FormEventHandler<HTMLFormElement>
  isPending: boolean
  error: unknown
  submitLabel: string
  submitButton?: Pick<ButtonProps, 'variant' | 'color' | 'disabled' | 'fullWidth'>
  onCancel?: () => void
  /** Shown above the error. */
  intro?: ReactNode
  /** True disables every field and hides the buttons. */
  readOnly?: boolean
  children?: ReactNode
}

/** The frame of a form: the error, the fields and the buttons. Takes the state of `useOperationForm` as props. */
export function FormFrame({ submit, readOnly, ...props }: FormFrameProps) {
  const content = <FormContent {...props} readOnly={readOnly ?? false} />
  return (
    <form onSubmit={submit} noValidate>
      {readOnly === undefined ? (
        content
      ) : (
        <Fieldset variant="unstyled" disabled={readOnly}>
          {content}
        </Fieldset>
      )}
    </form>
  )
}

function FormContent(props: Omit<FormFrameProps, 'submit'>) {
  const { isPending, submitButton } = props
  const submit = (
    <Button type="submit" loading={isPending} {...submitButton}>
      {props.submitLabel}
    </Button>
  )
  return (
    <Stack>
      {props.intro}
      <ProblemAlert error={props.error} />
      {props.children}
      {props.readOnly ? null : submitButton?.fullWidth ? (
        submit
      ) : (
        <Group justify="flex-end">
          {props.onCancel && (
            <Button variant="default" onClick={props.onCancel}>
              Cancel
            </Button>
          )}
          {submit}
        </Group>
      )}
    </Stack>
  )
}
