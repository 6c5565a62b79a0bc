package tailwind

// The notation is described in table.go. Rows are in cascade order: later rows take precedence.

const layoutTable = `
one container            width:100%
one sr-only              position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;clip:rect(0, 0, 0, 0);white-space:nowrap;border-width:0
one not-sr-only          position:static;width:auto;height:auto;padding:0;margin:0;overflow:visible;clip:auto;white-space:normal
words pointer-events- pointer-events  none auto
words - visibility       visible invisible=hidden collapse
words - position         static fixed absolute relative sticky
many -inset              @inset []                    inset:$
many -inset-x            @inset []                    left:$;right:$
many -inset-y            @inset []                    top:$;bottom:$
many -start              @inset []                    inset-inline-start:$
many -end                @inset []                    inset-inline-end:$
many -top                @inset []                    top:$
many -right              @inset []                    right:$
many -bottom             @inset []                    bottom:$
many -left               @inset []                    left:$
one isolate              isolation:isolate
one isolation-auto       isolation:auto
many -z                  0 10 20 30 40 50 [int]    z-index:$
one z-auto               z-index:auto
many -order              @1to12 [int]              order:$
one order-first          order:-9999
one order-last           order:9999
one order-none           order:0
many col                 auto []                   grid-column:$
many col-span            @span12 full=1_/_-1       grid-column:$
many col-span            [int]                     grid-column:span $ / span $
many -col-start          auto @1to13 [int]         grid-column-start:$
many -col-end            auto @1to13 [int]         grid-column-end:$
many row                 auto []                   grid-row:$
many row-span            @span12 full=1_/_-1       grid-row:$
many row-span            [int]                     grid-row:span $ / span $
many -row-start          auto @1to13 [int]         grid-row-start:$
many -row-end            auto @1to13 [int]         grid-row-end:$
words float- float       right left none start=inline-start end=inline-end
words clear- clear       left right both none start=inline-start end=inline-end
many -m                  @margin []                   margin:$
many -mx                 @margin []                   margin-left:$;margin-right:$
many -my                 @margin []                   margin-top:$;margin-bottom:$
many -ms                 @margin []                   margin-inline-start:$
many -me                 @margin []                   margin-inline-end:$
many -mt                 @margin []                   margin-top:$
many -mr                 @margin []                   margin-right:$
many -mb                 @margin []                   margin-bottom:$
many -ml                 @margin []                   margin-left:$
one box-border           box-sizing:border-box
one box-content          box-sizing:content-box
many line-clamp          1 2 3 4 5 6 [int]         overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:$
one line-clamp-none      overflow:visible;display:block;-webkit-box-orient:horizontal;-webkit-line-clamp:none
words - display          block inline-block inline flex inline-flex table inline-table table-caption table-cell table-column table-column-group table-footer-group table-header-group table-row-group table-row flow-root grid inline-grid contents list-item hidden=none
many aspect              auto square=1_/_1 video=16_/_9 []   aspect-ratio:$
many size                @width []                 width:$;height:$
many h                   @height []                   height:$
many max-h               @spacing none full=100% @vh @fit []  max-height:$
many min-h               @spacing full=100% @vh @fit []       min-height:$
many w                   @width @vw []             width:$
many min-w               @spacing full=100% @fit []           min-width:$
many max-w               @spacing @prosewidth full=100% @fit []   max-width:$
many flex                1=1_1_0% auto=1_1_auto initial=0_1_auto none []  flex:$
many flex-shrink         .=1 0 [num]               flex-shrink:$
many shrink              .=1 0 [num]               flex-shrink:$
many flex-grow           .=1 0 [num]               flex-grow:$
many grow                .=1 0 [num]               flex-grow:$
many basis               @width []                 flex-basis:$
words table- table-layout  auto fixed
words caption- caption-side  top bottom
words border- border-collapse  collapse separate
many border-spacing      @spacing []            --tw-border-spacing-x:$;--tw-border-spacing-y:$;{spacing}
many border-spacing-x    @spacing []            --tw-border-spacing-x:$;{spacing}
many border-spacing-y    @spacing []            --tw-border-spacing-y:$;{spacing}
many origin              center top top-right=top_right right bottom-right=bottom_right bottom bottom-left=bottom_left left top-left=top_left []  transform-origin:$
many -translate          @move []                     --tw-translate-x:$;--tw-translate-y:$;{transform}
many -translate-x        @move []                     --tw-translate-x:$;{transform}
many -translate-y        @move []                     --tw-translate-y:$;{transform}
many -rotate             @degrees []                  --tw-rotate:$;{transform}
many -skew-x             @degrees []                  --tw-skew-x:$;{transform}
many -skew-y             @degrees []                  --tw-skew-y:$;{transform}
many -scale              @scale []                    --tw-scale-x:$;--tw-scale-y:$;{transform}
many -scale-x            @scale []                    --tw-scale-x:$;{transform}
many -scale-y            @scale []                    --tw-scale-y:$;{transform}
one transform            {transform}
one transform-cpu        {transform}
one transform-gpu        {transform3d}
one transform-none       transform:none
many animate             none spin=tw-spin_1s_linear_infinite ping=tw-ping_1s_cubic-bezier(0,_0,_0.2,_1)_infinite pulse=tw-pulse_2s_cubic-bezier(0.4,_0,_0.6,_1)_infinite bounce=tw-bounce_1s_infinite []  animation:$
many cursor              auto default pointer wait text move help not-allowed none context-menu progress cell crosshair vertical-text alias copy no-drop grab grabbing all-scroll col-resize row-resize n-resize e-resize s-resize w-resize ne-resize nw-resize se-resize sw-resize ew-resize ns-resize nesw-resize nwse-resize zoom-in zoom-out []  cursor:$
words touch- touch-action  auto none manipulation
many touch-pan           x=pan-x left=pan-left right=pan-right  --tw-pan-x:$;{touch}
many touch-pan           y=pan-y up=pan-up down=pan-down  --tw-pan-y:$;{touch}
one touch-pinch-zoom     --tw-pinch-zoom:pinch-zoom;{touch}
many select              none text all auto        -webkit-user-select:$;user-select:$
many resize              none y=vertical x=horizontal .=both  resize:$
many snap                none                      scroll-snap-type:$
many snap                x y both                  scroll-snap-type:$ var(--tw-scroll-snap-strictness, proximity)
words snap- --tw-scroll-snap-strictness  mandatory proximity
many snap                start end center align-none=none  scroll-snap-align:$
words snap- scroll-snap-stop  normal always
many -scroll-m           @spacing []            scroll-margin:$
many -scroll-mx          @spacing []            scroll-margin-left:$;scroll-margin-right:$
many -scroll-my          @spacing []            scroll-margin-top:$;scroll-margin-bottom:$
many -scroll-ms          @spacing []            scroll-margin-inline-start:$
many -scroll-me          @spacing []            scroll-margin-inline-end:$
many -scroll-mt          @spacing []            scroll-margin-top:$
many -scroll-mr          @spacing []            scroll-margin-right:$
many -scroll-mb          @spacing []            scroll-margin-bottom:$
many -scroll-ml          @spacing []            scroll-margin-left:$
many scroll-p            @spacing []            scroll-padding:$
many scroll-px           @spacing []            scroll-padding-left:$;scroll-padding-right:$
many scroll-py           @spacing []            scroll-padding-top:$;scroll-padding-bottom:$
many scroll-ps           @spacing []            scroll-padding-inline-start:$
many scroll-pe           @spacing []            scroll-padding-inline-end:$
many scroll-pt           @spacing []            scroll-padding-top:$
many scroll-pr           @spacing []            scroll-padding-right:$
many scroll-pb           @spacing []            scroll-padding-bottom:$
many scroll-pl           @spacing []            scroll-padding-left:$
`
