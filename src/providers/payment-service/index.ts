import { ModuleProvider, Modules } from "@medusajs/framework/utils"

import { METHOD_PROVIDERS } from "./methods"

/** One class per payment method, so that shoppers choose and admins enable each one per region. */
export default ModuleProvider(Modules.PAYMENT, { services: METHOD_PROVIDERS })
