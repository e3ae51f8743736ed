const UUID = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"

/** The service's ids: UUIDs of any version, in any case. */
export const WHOLE_UUID = new RegExp(`^${UUID}$`, "i")

/** Every id in a text. */
export const EACH_UUID = new RegExp(UUID, "gi")
