#include <stdlib.h>
#include "objects.h"
#include <csignal>
#include <ctime>
#include <time.h>

#include "run.h"
#include "brianlib/common_math.h"

#include "code_objects/paths_stateupdater_codeobject.h"


#include <iostream>
#include <fstream>
#include <string>




void set_from_command_line(const std::vector<std::string> args)
{
    for (const auto& arg : args) {
		// Split into two parts
		size_t equal_sign = arg.find("=");
		auto name = arg.substr(0, equal_sign);
		auto value = arg.substr(equal_sign + 1, arg.length());
		brian::set_variable_by_name(name, value);
	}
}

void _int_handler(int signal_num) {
	if (Network::_globally_running && !Network::_globally_stopped) {
		Network::_globally_stopped = true;
	} else {
		std::signal(signal_num, SIG_DFL);
		std::raise(signal_num);
	}
}

int main(int argc, char **argv)
{
	std::signal(SIGINT, _int_handler);
	std::random_device _rd;
	std::vector<std::string> args(argv + 1, argv + argc);
	if (args.size() >=2 && args[0] == "--results_dir")
	{
		brian::results_dir = args[1];
		#ifdef DEBUG
		std::cout << "Setting results dir to '" << brian::results_dir << "'" << std::endl;
		#endif
		args.erase(args.begin(), args.begin()+2);
	}
        

	brian_start();
        

	{
		using namespace brian;

		
                
        _array_defaultclock_dt[0] = 0.0001;
        _array_defaultclock_dt[0] = 0.0001;
        _array_defaultclock_dt[0] = 0.0001;
        _array_defaultclock_dt[0] = 0.01;
        
                        
                        for(int i=0; i<_num__array_paths_M1; i++)
                        {
                            _array_paths_M1[i] = 1.3247603305785125;
                        }
                        
        
                        
                        for(int i=0; i<_num__array_paths_M2; i++)
                        {
                            _array_paths_M2[i] = - 0.6148595041322314;
                        }
                        
        
                        
                        for(int i=0; i<_num__array_paths_M3; i++)
                        {
                            _array_paths_M3[i] = 2.877768595041322;
                        }
                        
        
                        
                        for(int i=0; i<_num__array_paths_G1; i++)
                        {
                            _array_paths_G1[i] = 0.5454545454545454;
                        }
                        
        
                        
                        for(int i=0; i<_num__array_paths_G2; i++)
                        {
                            _array_paths_G2[i] = - 0.18181818181818182;
                        }
                        
        
                        
                        for(int i=0; i<_num__array_paths_G3; i++)
                        {
                            _array_paths_G3[i] = - 0.8181818181818182;
                        }
                        
        _array_defaultclock_timestep[0] = 0;
        _array_defaultclock_t[0] = 0.0;
        magicnetwork.clear();
        magicnetwork.add(&defaultclock, _run_paths_stateupdater_codeobject);
        set_from_command_line(args);
        magicnetwork.run(10.0, NULL, 10.0);

	}
        

	brian_end();
        

	return 0;
}