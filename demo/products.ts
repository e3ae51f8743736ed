/** The demo's assortment: a round price, one with kopecks, and an expensive last piece. */
export const products = [
  {
    sku: "linen-towel",
    price: 1990,
    stock: 500,
    ru: {
      title: "Льняное полотенце",
      description: "Плотный костромской лён, который с каждой стиркой становится мягче.",
    },
    en: {
      title: "Linen towel",
      description: "Heavy Kostroma linen that gets softer with every wash.",
    },
  },
  {
    sku: "ivan-tea",
    price: 490.5,
    stock: 500,
    ru: {
      title: "Иван-чай с облепихой",
      description: "Сто граммов на сорок чашек. Ягода досушена вместе с листом.",
    },
    en: {
      title: "Willowherb tea with sea buckthorn",
      description: "A hundred grams make forty cups. The berries are dried with the leaf.",
    },
  },
  {
    sku: "oak-lamp",
    price: 12900,
    stock: 1,
    ru: {
      title: "Лампа из морёного дуба",
      description: "Единственный экземпляр: дерево пролежало на дне реки восемьсот лет.",
    },
    en: {
      title: "Bog oak lamp",
      description: "The only one: the wood lay on a riverbed for eight hundred years.",
    },
  },
]
