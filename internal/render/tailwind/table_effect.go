package tailwind

const effectTable = `
many opacity             @opacity []                  opacity:$
words bg-blend- background-blend-mode  normal multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion hue saturation color luminosity
words mix-blend- mix-blend-mode  normal multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion hue saturation color luminosity plus-lighter plus-darker
many shadow              @shadow                   {shadow}
many shadow              @paint                    --tw-shadow-color:$;--tw-shadow:var(--tw-shadow-colored)
one outline-none         outline:2px solid transparent;outline-offset:2px
one outline              outline-style:solid
words outline- outline-style  dashed dotted double
many outline             0=0px 1=1px 2=2px 4=4px 8=8px [len]  outline-width:$
many -outline-offset     0=0px 1=1px 2=2px 4=4px 8=8px []  outline-offset:$
many outline             @paint                    outline-color:$
many ring                .=3px 0=0px 1=1px 2=2px 4=4px 8=8px [len]  --tw-ring-offset-shadow:var(--tw-ring-inset) 0 0 0 var(--tw-ring-offset-width) var(--tw-ring-offset-color);--tw-ring-shadow:var(--tw-ring-inset) 0 0 0 calc($ + var(--tw-ring-offset-width)) var(--tw-ring-color);{ring}
one ring-inset           --tw-ring-inset:inset
many ring                @color:ring               --tw-ring-color:$
many ring-opacity        @opacity []                  --tw-ring-opacity:$
many ring-offset         0=0px 1=1px 2=2px 4=4px 8=8px [len]  --tw-ring-offset-width:$
many ring-offset         @paint                    --tw-ring-offset-color:$
many blur                @blur []                     --tw-blur:blur($);{filter}
many brightness          @factor []                   --tw-brightness:brightness($);{filter}
many contrast            @factor []                   --tw-contrast:contrast($);{filter}
many drop-shadow         @dropshadow []               --tw-drop-shadow:$;{filter}
many grayscale           .=100% 0 [num]            --tw-grayscale:grayscale($);{filter}
many -hue-rotate         @hue []                      --tw-hue-rotate:hue-rotate($);{filter}
many invert              .=100% 0 [num]            --tw-invert:invert($);{filter}
many saturate            @factor []                   --tw-saturate:saturate($);{filter}
many sepia               .=100% 0 [num]            --tw-sepia:sepia($);{filter}
one filter               {filter}
one filter-none          filter:none
many backdrop-blur       @blur []                     --tw-backdrop-blur:blur($);{backdrop}
many backdrop-brightness @factor []                   --tw-backdrop-brightness:brightness($);{backdrop}
many backdrop-contrast   @factor []                   --tw-backdrop-contrast:contrast($);{backdrop}
many backdrop-grayscale  .=100% 0 [num]            --tw-backdrop-grayscale:grayscale($);{backdrop}
many -backdrop-hue-rotate @hue []                     --tw-backdrop-hue-rotate:hue-rotate($);{backdrop}
many backdrop-invert     .=100% 0 [num]            --tw-backdrop-invert:invert($);{backdrop}
many backdrop-opacity    @opacity []                  --tw-backdrop-opacity:opacity($);{backdrop}
many backdrop-saturate   @factor []                   --tw-backdrop-saturate:saturate($);{backdrop}
many backdrop-sepia      .=100% 0 [num]            --tw-backdrop-sepia:sepia($);{backdrop}
one backdrop-filter      {backdrop}
one backdrop-filter-none -webkit-backdrop-filter:none;backdrop-filter:none
one transition-none      transition-property:none
many transition          @transition []               transition-property:$;transition-timing-function:cubic-bezier(0.4, 0, 0.2, 1);transition-duration:150ms
many delay               @millis []                   transition-delay:$
many duration            @millis []                   transition-duration:$
many ease                linear in=cubic-bezier(0.4,_0,_1,_1) out=cubic-bezier(0,_0,_0.2,_1) in-out=cubic-bezier(0.4,_0,_0.2,_1) []  transition-timing-function:$
many will-change         auto scroll=scroll-position contents transform []  will-change:$
many contain             none content strict []    contain:$
many contain             size inline-size          --tw-contain-size:$;{contain}
many contain             layout                    --tw-contain-layout:$;{contain}
many contain             paint                     --tw-contain-paint:$;{contain}
many contain             style                     --tw-contain-style:$;{contain}
many content             none []                   --tw-content:$;content:var(--tw-content)
words forced-color-adjust- forced-color-adjust  auto none
`

// composedTable lists composed values. Each composed value has a base, which resets the parts of the value on every
// element that has one of its classes. Otherwise children would inherit the custom properties, and the rotation of a
// parent would also rotate its children.
const composedTable = `
transform  transform:translate(var(--tw-translate-x), var(--tw-translate-y)) rotate(var(--tw-rotate)) skewX(var(--tw-skew-x)) skewY(var(--tw-skew-y)) scaleX(var(--tw-scale-x)) scaleY(var(--tw-scale-y))
transform3d transform:translate3d(var(--tw-translate-x), var(--tw-translate-y), 0) rotate(var(--tw-rotate)) skewX(var(--tw-skew-x)) skewY(var(--tw-skew-y)) scaleX(var(--tw-scale-x)) scaleY(var(--tw-scale-y))
spacing    border-spacing:var(--tw-border-spacing-x) var(--tw-border-spacing-y)
numeric    font-variant-numeric:var(--tw-ordinal) var(--tw-slashed-zero) var(--tw-numeric-figure) var(--tw-numeric-spacing) var(--tw-numeric-fraction)
shadow     box-shadow:var(--tw-ring-offset-shadow, 0 0 #0000), var(--tw-ring-shadow, 0 0 #0000), var(--tw-shadow)
ring       box-shadow:var(--tw-ring-offset-shadow), var(--tw-ring-shadow), var(--tw-shadow, 0 0 #0000)
filter     filter:var(--tw-blur) var(--tw-brightness) var(--tw-contrast) var(--tw-grayscale) var(--tw-hue-rotate) var(--tw-invert) var(--tw-saturate) var(--tw-sepia) var(--tw-drop-shadow)
backdrop   -webkit-backdrop-filter:%backdrop;backdrop-filter:%backdrop
touch      touch-action:var(--tw-pan-x) var(--tw-pan-y) var(--tw-pinch-zoom)
contain    contain:var(--tw-contain-size) var(--tw-contain-layout) var(--tw-contain-paint) var(--tw-contain-style)
border     
`

// baseTable contains the values that the parts of a composed value have if no class sets them.
const baseTable = `
transform  --tw-translate-x:0;--tw-translate-y:0;--tw-rotate:0;--tw-skew-x:0;--tw-skew-y:0;--tw-scale-x:1;--tw-scale-y:1
spacing    --tw-border-spacing-x:0;--tw-border-spacing-y:0
numeric    --tw-ordinal: ;--tw-slashed-zero: ;--tw-numeric-figure: ;--tw-numeric-spacing: ;--tw-numeric-fraction: 
ring       --tw-ring-inset: ;--tw-ring-offset-width:0px;--tw-ring-offset-color:#fff;--tw-ring-color:rgb(59 130 246 / 0.5);--tw-ring-offset-shadow:0 0 #0000;--tw-ring-shadow:0 0 #0000;--tw-shadow:0 0 #0000;--tw-shadow-colored:0 0 #0000
filter     --tw-blur: ;--tw-brightness: ;--tw-contrast: ;--tw-grayscale: ;--tw-hue-rotate: ;--tw-invert: ;--tw-saturate: ;--tw-sepia: ;--tw-drop-shadow: 
backdrop   --tw-backdrop-blur: ;--tw-backdrop-brightness: ;--tw-backdrop-contrast: ;--tw-backdrop-grayscale: ;--tw-backdrop-hue-rotate: ;--tw-backdrop-invert: ;--tw-backdrop-opacity: ;--tw-backdrop-saturate: ;--tw-backdrop-sepia: 
touch      --tw-pan-x: ;--tw-pan-y: ;--tw-pinch-zoom: 
contain    --tw-contain-size: ;--tw-contain-layout: ;--tw-contain-paint: ;--tw-contain-style: 
border     border:0 solid var(--line, #e5e7eb)
`

// keyframesTable lists the animations. They are disabled for readers who prefer reduced motion.
const keyframesTable = `
spin   to{transform:rotate(360deg)}
ping   75%,100%{transform:scale(2);opacity:0}
pulse  50%{opacity:.5}
bounce 0%,100%{transform:translateY(-25%);animation-timing-function:cubic-bezier(0.8,0,1,1)}50%{transform:none;animation-timing-function:cubic-bezier(0,0,0.2,1)}
`
