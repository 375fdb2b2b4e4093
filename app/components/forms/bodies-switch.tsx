import { Switch, type SwitchProps } from '@mantine/core'

/** The setting whether a service saves response bodies. */
export function BodiesSwitch(props: SwitchProps) {
  return <Switch label="Save response bodies" description="You can then read what each step received." {...props} />
}
