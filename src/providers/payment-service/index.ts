import { ModuleProvider, Modules } from "@medusajs/framework/utils"

import { METHOD_PROVIDERS } from "./methods"

/** One class per way to pay, so that shoppers choose and admins enable each per region. */
export default ModuleProvider(Modules.PAYMENT, { services: METHOD_PROVIDERS })
