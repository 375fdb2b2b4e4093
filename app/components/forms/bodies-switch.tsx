import { Switch, type SwitchProps } from '@mantine/core'

/** The switch of a service that stores response bodies. */
export function BodiesSwitch(props: SwitchProps) {
  return <Switch label="Save response bodies" description="You can then read what each step received." {...props} />
}
