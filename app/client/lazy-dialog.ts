import dynamic from 'next/dynamic'

/** Returns a dialog whose code is loaded when it first opens, because most visits of a page open none. */
export function lazyDialog<Props>(load: () => Promise<(props: Props) => React.ReactNode>) {
  return dynamic<Props & React.JSX.IntrinsicAttributes>(load as never, { ssr: false }) as (
    props: Props,
  ) => React.ReactNode
}
