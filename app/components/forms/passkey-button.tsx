'use client'

import { Button, type ButtonProps, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { PasskeyProof } from '#server/schemas/account/passkey-proof.ts'
import { askForPasskey, passkeyProblem } from './ask-passkey.ts'

/** Asks for a passkey, and gives what it signed to `onProof`. */
export function PasskeyButton(props: {
  label: string
  onProof: (proof: PasskeyProof) => void
  button?: Pick<ButtonProps, 'fullWidth' | 'loading' | 'variant'> & { autoFocus?: boolean }
}) {
  const [state, setState] = useState<{ isAsking: boolean; problem?: string }>({ isAsking: false })
  const ask = async () => {
    setState({ isAsking: true })
    try {
      const proof = await askForPasskey()
      setState({ isAsking: false })
      props.onProof(proof)
    } catch (error) {
      setState({ isAsking: false, problem: passkeyProblem(error) })
    }
  }
  return (
    <Stack gap="xs" align={props.button?.fullWidth ? 'stretch' : 'flex-start'}>
      <Button
        variant="default"
        {...props.button}
        loading={state.isAsking || (props.button?.loading ?? false)}
        onClick={ask}
      >
        {props.label}
      </Button>
      {state.problem && (
        <Text size="sm" c="red" role="alert">
          {state.problem}
        </Text>
      )}
    </Stack>
  )
}
