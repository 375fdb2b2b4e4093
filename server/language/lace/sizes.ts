/** A size with its unit: `50`, `50k`, `10MB`. */
export const SIZE = /^([0-9]+)(k|kb|m|mb|g|gb)?$/i
